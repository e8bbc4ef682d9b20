//! Training samples: the positions at one ply, as pattern classes, with the scores of their games.

use std::sync::{Mutex, PoisonError};

use morello_core::game::RandomNumbers;
use morello_core::othello::engine::patterns::{ShapeClasses, ShapeSet};
use morello_core::parallel;

use super::{Sample, TrainingData};

/// One game in this many is held out.
const HELD_OUT_EVERY: u64 = 50;

/// The number of samples per unit of parallel work.
const CHUNK: usize = 4096;

/// A subset of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataSplit {
    /// The games that weights are fitted to.
    Training,
    /// One game in fifty, drawn by seed and index, to measure the error on unseen positions.
    HeldOut,
    /// All games.
    All,
}

/// The games of several files.
#[derive(Debug, Clone, Default)]
pub struct Corpus(pub Vec<TrainingData>);

impl Corpus {
    /// Calls `on_sample` with each sample of the games in this split.
    pub fn for_each_sample(&self, part: DataSplit, mut on_sample: impl FnMut(Sample)) {
        for (games, index) in self.games(part) {
            games.samples(index).into_iter().for_each(&mut on_sample);
        }
    }

    fn games(&self, part: DataSplit) -> impl Iterator<Item = (&TrainingData, usize)> {
        let all = self.0.iter().flat_map(|games| (0..games.len()).map(move |index| (games, index)));
        all.filter(move |(games, index)| {
            let held_out = || {
                let seed = RandomNumbers::new(!games.seed()).next_u64();
                RandomNumbers::new(seed ^ *index as u64).next_u64().is_multiple_of(HELD_OUT_EVERY)
            };
            match part {
                DataSplit::Training => !held_out(),
                DataSplit::HeldOut => held_out(),
                DataSplit::All => true,
            }
        })
    }
}

/// The classes of a shape set, numbered from 0 within each shape.
#[derive(Debug)]
pub(super) struct ClassNumbering<const LANES: usize> {
    pub set: &'static ShapeSet<LANES>,
    pub classes: &'static ShapeClasses,
    /// The range of the classes of each lane's shape.
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

/// Positions at one ply with their scores.
#[derive(Debug)]
pub(super) struct Samples {
    lanes: usize,
    /// For each position, the class of each lane, numbered within its shape.
    classes: Vec<u16>,
    /// For each position, the final score for the side to move, in discs.
    scores: Vec<i8>,
}

impl Samples {
    /// Collects the positions of these games after `ply` placed discs.
    pub fn of_ply<const LANES: usize>(
        corpus: &Corpus,
        part: DataSplit,
        ply: usize,
        numbering: &ClassNumbering<LANES>,
    ) -> Self {
        let games: Vec<_> = corpus.games(part).collect();
        let games: Vec<_> = games.chunks(CHUNK).collect();
        let sample = |&(games, index): &(&TrainingData, usize)| games.sample(index, ply);
        let samples =
            parallel::map(games.len(), &|part| games[part].iter().filter_map(sample).collect::<Vec<Sample>>()).concat();
        let lanes = numbering.ranges.len();
        let mut classes = vec![0; samples.len() * lanes];
        let mut scores = vec![0; samples.len()];
        let parts: Vec<_> = classes.chunks_mut(CHUNK * lanes).zip(scores.chunks_mut(CHUNK)).map(Mutex::new).collect();
        parallel::for_each(parts.len(), &|part| {
            let (classes, scores) = &mut *parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let samples = &samples[part * CHUNK..];
            for ((classes, score), sample) in classes.chunks_exact_mut(lanes).zip(scores.iter_mut()).zip(samples) {
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

    /// Counts the occurrences of each class in all lanes of all positions.
    pub fn counts<const LANES: usize>(&self, numbering: &ClassNumbering<LANES>) -> Vec<u32> {
        let mut counts = vec![0; numbering.classes.count()];
        for classes in self.classes.chunks_exact(self.lanes) {
            for (range, &class) in numbering.ranges.iter().zip(classes) {
                counts[range.start + usize::from(class)] += 1;
            }
        }
        counts
    }

    /// Splits the positions and their scores into at most `parts` parts.
    pub fn parts(&self, parts: usize) -> Vec<impl Iterator<Item = (&[u16], i8)> + Clone> {
        let len = self.len().div_ceil(parts).max(1);
        let classes = self.classes.chunks(len * self.lanes).map(|part| part.chunks_exact(self.lanes));
        classes.zip(self.scores.chunks(len)).map(|(classes, scores)| classes.zip(scores.iter().copied())).collect()
    }
}
