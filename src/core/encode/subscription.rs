//! What a Signal K client wants to hear: `?subscribe=self|all|none`, and the subscribe and unsubscribe messages.
//!
//! Paths may have `*` for a segment's rest or for everything below. There is one vessel here, so every context that can
//! mean it does. Formats and policies other than a delta at a fixed period are taken as that, as servers do.

use serde_json::Value;

/// The shortest period that is kept, milliseconds.
const SHORTEST_MS: u32 = 50;
/// The most paths that a client may subscribe to; further ones are refused.
const MOST: usize = 256;

/// What one client wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    paths: Vec<(String, Option<u32>)>,
}

impl Default for Subscription {
    fn default() -> Subscription {
        Subscription { paths: vec![("*".into(), None)] }
    }
}

impl Subscription {
    /// As the query of the stream's address says: `subscribe=self` (also without), `all`, `none`. `None`: anything else, to
    /// be answered with 501.
    pub fn from_query(query: &str) -> Option<Subscription> {
        let wish = query.split('&').find_map(|pair| pair.strip_prefix("subscribe=")).unwrap_or("self");
        match wish {
            "self" | "all" => Some(Subscription::default()),
            "none" => Some(Subscription { paths: Vec::new() }),
            _ => None,
        }
    }

    /// Takes a message of the client. `Ok(false)`: it says nothing about subscriptions.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn apply(&mut self, message: &str, context: &str) -> Result<bool, String> {
        let message: Value = serde_json::from_str(message).map_err(|e| format!("no JSON: {e}"))?;
        let wanted = message.get("context").and_then(Value::as_str).unwrap_or("vessels.self");
        let ours = matches!(wanted, "*" | "vessels.*" | "vessels.self" | "self") || wanted == context;
        let mut known = false;
        for (key, add) in [("unsubscribe", false), ("subscribe", true)] {
            let Some(list) = message.get(key) else { continue };
            known = true;
            let list = list.as_array().ok_or_else(|| format!("{key:?} is no list"))?;
            for entry in list {
                let path = entry.get("path").and_then(Value::as_str).ok_or("an entry has no path")?;
                if !ours {
                    continue;
                }
                if !add {
                    self.paths.retain(|(p, _)| path != "*" && p != path);
                    continue;
                }
                let period = entry.get("period").or_else(|| entry.get("minPeriod")).and_then(Value::as_f64);
                let period = period.filter(|p| *p >= 0.0).map(|p| (p as u32).max(SHORTEST_MS));
                self.paths.retain(|(p, _)| p != path);
                if self.paths.len() == MOST {
                    return Err(format!("more than {MOST} paths"));
                }
                self.paths.push((path.to_string(), period));
            }
        }
        Ok(known)
    }

    /// Whether a path is wanted.
    pub fn wants(&self, path: &str) -> bool {
        self.paths.iter().any(|(pattern, _)| matches(pattern, path))
    }

    /// Nothing at all is wanted.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The shortest period that was asked for, milliseconds; `None`: the output's own.
    pub fn period_ms(&self) -> Option<u32> {
        self.paths.iter().filter_map(|(_, p)| *p).min()
    }
}

/// Segment by segment; a pattern that ends early has everything below it.
fn matches(pattern: &str, path: &str) -> bool {
    let mut segments = path.split('.');
    for want in pattern.split('.') {
        let Some(segment) = segments.next() else { return false };
        let fits = match want.split_once('*') {
            None => want == segment,
            Some((head, tail)) => {
                segment.len() >= head.len() + tail.len() && segment.starts_with(head) && segment.ends_with(tail)
            }
        };
        if !fits {
            return false;
        }
    }
    true
}
