import { expect, it } from 'vitest';
import { opinionsOf } from './agreement.js';

it('the emulator and the client validate alike, on 400 workflows with mistakes', () => {
  const types = new Set<string | undefined>();
  const verdicts = new Set<string>();
  for (let seed = 1; seed <= 400; seed += 1) {
    const { workflow, emulator, client } = opinionsOf(seed);
    expect({ seed, workflow, ...client }).toEqual({ seed, workflow, ...emulator });
    verdicts.add(client.verdict);
    for (const error of client.errors) types.add(error.split(' ')[1]);
  }
  expect([...verdicts].toSorted()).toEqual(['accepted', 'partly', 'refused']);
  expect([...types].toSorted()).toEqual([
    'bad_linked_input',
    'dependency_cycle',
    'exception',
    'invalid_input_type',
    'missing_node_type',
    'required_input_missing',
    'return_type_mismatch',
    'value_bigger_than_max',
    'value_not_in_list',
    'value_smaller_than_min',
  ]);
});
