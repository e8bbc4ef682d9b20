use super::*;
use crate::game::RandomNumbers;
use crate::othello::tests::random_position;

/// Returns pseudo-random parameters in the ranges of trained parameters.
fn parameters() -> NetworkParameters {
    let mut numbers = RandomNumbers::new(7);
    let mut number = |range: usize| numbers.below(2 * range + 1) as i32 - range as i32;
    let rows = (0..NetworkParameters::row_count()).map(|_| [(); INPUTS].map(|()| number(30) as i8)).collect();
    let mut words = |range: usize| [(); INPUTS].map(|()| number(range) as i16);
    let stages = (0..PLIES).map(|_| Stage { bias: words(100), direct: words(9000), offset: words(500)[0] }).collect();
    let layers = (0..LAYERS).map(|_| Layer {
        bias: bytemuck::must_cast(words(20000)),
        weights: [(); INPUTS].map(|()| bytemuck::must_cast(words(3000))),
        output: std::array::from_fn(|at| if at < NEURONS { words(1000)[at] } else { 0 }),
    });
    let layers = layers.collect();
    NetworkParameters { rows, stages, layers }
}

/// Returns the estimate according to the definition, lane by lane and neuron by neuron.
fn estimate(parameters: &NetworkParameters, board: Board) -> i64 {
    let (classes, features) = (ShapeClasses::of_set(&FULL), FULL.features(board));
    let empties = board.empty_count() as usize;
    let of_moves = parameters.rows[classes.count() + board.moves().len().min(31)];
    let (stage, layer) = (&parameters.stages[empties], &parameters.layers[(empties / 4).min(14)]);
    let inputs: Vec<i64> = (0..INPUTS)
        .map(|input| {
            let number = |lane: usize| i64::from(parameters.rows[classes.class(lane, features[lane]) as usize][input]);
            i64::from(stage.bias[input]) + (0..62).map(number).sum::<i64>() + i64::from(of_moves[input])
        })
        .collect();
    let mut sum: i64 = inputs.iter().zip(&stage.direct).map(|(input, weight)| input * i64::from(*weight)).sum();
    for neuron in 0..NEURONS {
        let weight = |at: usize| i64::from(layer.weights[at / 2][neuron][at % 2]);
        let products = (0..INPUTS)
            .map(|at| if inputs[at] > 0 { inputs[at] * weight(at) } else { -inputs[at] * weight(INPUTS + at) });
        let output = ((i64::from(layer.bias[neuron]) + products.sum::<i64>()) >> NEURON_SHIFT).clamp(0, 32767);
        sum += output * i64::from(layer.output[neuron]);
    }
    i64::from(stage.offset) + (sum >> SUM_SHIFT)
}

#[test]
fn estimates_equal_the_definition_at_every_level() {
    let parameters = parameters();
    let network = Network::new(&parameters);
    let mut silent = parameters.clone();
    silent.layers.iter_mut().for_each(|layer| layer.output.fill(0));
    let mut by_neurons = 0;
    for seed in 0..120 {
        let board = random_position::<8>(seed, seed as u32 % 61).board();
        let expected = estimate(&parameters, board);
        for level in InstructionSet::all() {
            let (features, empties, moves) = (FULL.features(board), board.empty_count(), board.move_bits());
            let found = at_level!(level, |level| network.units(level, &features, empties, moves));
            assert_eq!(i64::from(found), expected, "{board:?}, {}", level.name());
        }
        by_neurons += i32::from(estimate(&silent, board) != expected);
    }
    assert!(by_neurons > 100, "the neurons change {by_neurons} estimates");
}

#[test]
fn many_moves_share_the_last_row() {
    let row = |moves: u32| move_row((1 << moves) - 1);
    assert_eq!([0, 1, 30, 31, 32, 40].map(row), [0, 1, 30, 31, 31, 31]);
}

#[test]
fn files_round_trip() {
    use crate::othello::engine::patterns::DecodeError;

    let parameters = parameters();
    let bytes = parameters.encode();
    assert!(Network::is_file(&bytes));
    assert!(NetworkParameters::decode(&bytes) == Ok(parameters));
    for end in [21, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(NetworkParameters::decode(&bytes[..end]).unwrap_err(), DecodeError::Damaged);
    }
    assert_eq!(NetworkParameters::decode(b"a text").unwrap_err(), DecodeError::UnknownFormat("a network"));
}

#[test]
fn files_with_numbers_out_of_range_are_damaged() {
    let mut parameters = parameters();
    for (number, is_valid) in [(-MAX_NUMBER, true), (MAX_NUMBER, true), (MAX_NUMBER + 1, false), (i8::MIN, false)] {
        parameters.rows.last_mut().unwrap()[INPUTS - 1] = number;
        assert_eq!(NetworkParameters::decode(&parameters.encode()).is_ok(), is_valid, "{number}");
    }
}

#[test]
fn the_fingerprint_changes_with_each_parameter() {
    let parameters = parameters();
    let changes: [fn(&mut NetworkParameters); 4] = [
        |_| (),
        |parameters| parameters.rows[1000][3] ^= 1,
        |parameters| parameters.stages[60].offset += 1,
        |parameters| parameters.layers[2].output[0] += 1,
    ];
    let fingerprints = changes.map(|change| {
        let mut changed = parameters.clone();
        change(&mut changed);
        Network::new(&changed).fingerprint()
    });
    let different: std::collections::HashSet<_> = fingerprints.into_iter().collect();
    assert_eq!(different.len(), fingerprints.len(), "{fingerprints:?}");
    assert_eq!(Network::new(&parameters).fingerprint(), fingerprints[0]);
}
