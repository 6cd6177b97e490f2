import { describe, expect, it } from 'vitest';
import { parseAssignment } from '../../../src/cli/input/assignment.js';
import { UsageError } from '../../../src/cli/usage-error.js';

describe('parseAssignment', () => {
  it.each([
    ['6.text=sunrise', '6', 'text', 'sunrise'],
    ['6.text=', '6', 'text', ''],
    ['6.text=a=b.c=d', '6', 'text', 'a=b.c=d'],
    ['12:7.seed=4', '12:7', 'seed', '4'],
    ['a.b.seed=4', 'a.b', 'seed', '4'],
    ['__proto__.x=1', '__proto__', 'x', '1'],
  ])('reads %s', (text, nodeId, input, value) => {
    expect(parseAssignment('--set', text)).toEqual({ nodeId, input, value });
  });

  it.each(['', '6', '6.text', 'text=1', '.text=1', '6.=1', '=1', '.=1'])(
    'refuses %j with an example',
    (text) => {
      expect(() => parseAssignment('--set', text)).toThrow(UsageError);
      expect(() => parseAssignment('--set', text)).toThrow('--set 6.text=sunrise');
    },
  );
});
