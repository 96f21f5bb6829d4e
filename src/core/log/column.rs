//! A vector that grows without copying what it holds, and wastes at most one chunk.

/// Entries of a chunk.
const CHUNK: usize = 1024;

/// Entries in chunks.
#[derive(Clone, Debug)]
pub struct Column<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column { chunks: Vec::new() }
    }
}

impl<T: Copy> Column<T> {
    /// How many.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// One more.
    pub fn push(&mut self, entry: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(entry),
            _ => {
                // The first chunk grows by doubling: most logs are small.
                let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 4 } else { CHUNK });
                chunk.push(entry);
                self.chunks.push(chunk);
            }
        }
    }

    /// The n-th.
    pub fn get(&self, n: usize) -> Option<T> {
        self.chunks.get(n / CHUNK)?.get(n % CHUNK).copied()
    }

    /// The last one.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut()?.last_mut()
    }

    /// Gives back what the last chunk has not used.
    pub fn shrink(&mut self) {
        self.chunks.shrink_to_fit();
        if let Some(last) = self.chunks.last_mut() {
            last.shrink_to_fit();
        }
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        self.chunks.iter().map(|c| c.capacity() * size_of::<T>()).sum::<usize>()
            + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

impl<T> std::ops::Index<usize> for Column<T> {
    type Output = T;

    fn index(&self, n: usize) -> &T {
        &self.chunks[n / CHUNK][n % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_pushed() {
        let mut column = Column::default();
        for n in 0..5000u64 {
            assert_eq!(column.len(), n as usize);
            column.push(n);
        }
        assert_eq!((column.get(0), column.get(4999), column.get(5000)), (Some(0), Some(4999), None));
        assert!((0..5000).all(|n| column[n] == n as u64));
        *column.last_mut().unwrap() = 7;
        assert_eq!(column[4999], 7);
        assert!(column.memory() < 5000 * 8 + 1100 * 8);
    }
}
