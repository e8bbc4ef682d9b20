//! What there is to learn from: the positions of one ply, as classes of patterns, and the scores of their games.

use rayon::prelude::*;

use super::{Sample, TrainingGames};
use crate::game::RandomNumbers;
use crate::othello::engine::patterns::{ShapeClasses, ShapeSet};

/// One game in so many is held out.
const HELD_OUT_EVERY: u64 = 50;

/// Samples that a thread makes at a time.
const CHUNK: usize = 4096;

/// Which games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataSplit {
    /// Those that weights are fitted to.
    Training,
    /// One in fifty, drawn by seed and index: those that tell how good the weights are for positions that were not learnt from.
    HeldOut,
    /// All of them.
    All,
}

/// The games of several files.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    files: Vec<TrainingGames>,
}

impl Corpus {
    /// Takes the games of these files.
    #[must_use]
    pub fn new(files: Vec<TrainingGames>) -> Self {
        Self { files }
    }

    /// Returns the files.
    #[must_use]
    pub fn files(&self) -> &[TrainingGames] {
        &self.files
    }

    /// Calls `on_sample` with each position of these games in which the side to move can move, after the random part, and its score.
    pub fn for_each_sample(&self, part: DataSplit, mut on_sample: impl FnMut(Sample)) {
        for (games, index) in self.games(part) {
            games.samples(index, &mut on_sample);
        }
    }

    fn games(&self, part: DataSplit) -> impl Iterator<Item = (&TrainingGames, usize)> {
        let all = self.files.iter().flat_map(|games| (0..games.len()).map(move |index| (games, index)));
        all.filter(move |(games, index)| {
            let held_out = || {
                let of_seed = RandomNumbers::new(!games.generation_options().seed).next_u64();
                RandomNumbers::new(of_seed ^ *index as u64).next_u64().is_multiple_of(HELD_OUT_EVERY)
            };
            match part {
                DataSplit::Training => !held_out(),
                DataSplit::HeldOut => held_out(),
                DataSplit::All => true,
            }
        })
    }
}

/// The classes of a shape set, numbered from 0 on within each shape.
#[derive(Debug)]
pub(super) struct ClassNumbering<const LANES: usize> {
    pub set: &'static ShapeSet<LANES>,
    pub classes: &'static ShapeClasses,
    /// The first class of each lane's shape, and the class after its last.
    pub ranges: Vec<std::ops::Range<usize>>,
}

impl<const LANES: usize> ClassNumbering<LANES> {
    pub fn new(set: &'static ShapeSet<LANES>) -> Self {
        let classes = ShapeClasses::of_set(set);
        let range = |shape: usize| {
            let of_shape = || classes.of_shape(shape).map(|(_, class)| class as usize);
            of_shape().min().expect("a shape has classes")..of_shape().max().expect("a shape has classes") + 1
        };
        let of_shapes: Vec<_> = (0..set.shapes().len()).map(range).collect();
        let ranges = set.placements().iter().map(|lane| of_shapes[lane.shape].clone()).collect();
        Self { set, classes, ranges }
    }
}

/// Positions of one ply with their scores.
#[derive(Debug)]
pub(super) struct Samples {
    lanes: usize,
    /// For each position the class of each lane, counted from the first of its shape.
    classes: Vec<u16>,
    /// For each position the final score for the player, in discs.
    scores: Vec<i8>,
}

impl Samples {
    /// Collects the positions after `ply` discs were placed, from these games.
    pub fn of_ply<const LANES: usize>(
        corpus: &Corpus,
        part: DataSplit,
        ply: usize,
        numbering: &ClassNumbering<LANES>,
    ) -> Self {
        let games: Vec<_> = corpus.games(part).filter(|(games, index)| games.has_sample(*index, ply)).collect();
        let lanes = numbering.ranges.len();
        let mut classes = vec![0; games.len() * lanes];
        let mut scores = vec![0; games.len()];
        let chunks =
            classes.par_chunks_mut(CHUNK * lanes).zip(scores.par_chunks_mut(CHUNK)).zip(games.par_chunks(CHUNK));
        chunks.for_each(|((classes, scores), games)| {
            for ((classes, score), (games, index)) in classes.chunks_exact_mut(lanes).zip(scores).zip(games) {
                let sample = games.sample(*index, ply);
                *score = sample.score;
                let features = numbering.set.features(sample.board);
                for (lane, (class, range)) in classes.iter_mut().zip(&numbering.ranges).enumerate() {
                    *class = (numbering.classes.class(lane, features[lane]) as usize - range.start) as u16;
                }
            }
        });
        Self { lanes, classes, scores }
    }

    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns how many places of all positions have each class.
    pub fn counts<const LANES: usize>(&self, numbering: &ClassNumbering<LANES>) -> Vec<u32> {
        let mut counts = vec![0; numbering.classes.count()];
        for classes in self.classes.chunks_exact(self.lanes) {
            for (range, &class) in numbering.ranges.iter().zip(classes) {
                counts[range.start + usize::from(class)] += 1;
            }
        }
        counts
    }

    /// Returns the positions, in parts, with their scores.
    pub fn parts(&self, parts: usize) -> impl IndexedParallelIterator<Item = impl Iterator<Item = (&[u16], i8)>> {
        let len = self.len().div_ceil(parts).max(1);
        let classes = self.classes.par_chunks(len * self.lanes).map(|part| part.chunks_exact(self.lanes));
        classes.zip(self.scores.par_chunks(len)).map(|(classes, scores)| classes.zip(scores.iter().copied()))
    }
}
