import { describe, expect, it } from 'vitest';
import type { Change, Mutant } from './mutant.js';
import { drop, replace, unwrap } from './mutant.js';
import { plant } from './plant.js';
import { argument, branch, call, literal, operation, statement, value } from './selectors.js';

const source = `
export const limit = 3; // attempts
const other = (a: number): number => clean(a + 1);
export class Reader {
  private readonly limit = 7;
  read(status: number, done: () => void): string | undefined {
    if (status === 401) return undefined;
    if (status > 401 && status < 500) {
      done();
      return this.text({ status, verified: status < 402 });
    }
    return undefined;
  }
}
`;

const planted = (where: string, change: Change | readonly Change[]): string => {
  const mutant: Mutant = { id: 'X1', story: '', in: where, change, caughtBy: { test: '', name: '' } };
  return plant(mutant, [
    { file: 'src/a.ts', text: 'export const nothing = 0;' },
    { file: 'src/reader.ts', text: source },
  ]).text;
};

describe('plant', () => {
  it.each<readonly [string, Change, string, string]>([
    ['limit', replace(value(), '99'), '', 'has the value 2 times, not once'],
    ['Reader.limit', replace(value(), '99'), 'limit = 7', 'limit = 99'],
    ['read', replace(branch('===', '401'), 'return;'), 'if (status === 401) return undefined;', 'return;'],
    ['read', drop(statement('done')), 'done();', ';'],
    ['read', replace(value('verified'), 'true'), 'status < 402', 'true'],
    ['read', replace(operation('500'), 'false'), 'status < 500', 'false'],
    ['read', replace(literal(402), '9'), '402', '9'],
    ['other', unwrap('clean'), 'clean(a + 1)', '(a + 1)'],
    ['other', replace(argument(0, call('clean')), 'a'), 'clean(a + 1)', 'clean(a)'],
  ])('changes one place of %s, or says that it is not one', (where, change, from, to) => {
    if (from === '') expect(() => planted(where, change)).toThrow(to);
    else expect(planted(where, change)).toBe(source.replace(from, to));
  });

  it('makes several changes of one declaration', () => {
    const both = [drop(statement('done')), replace(literal(500), '600')];
    expect(planted('read', both)).toBe(source.replace('done();', ';').replace('500', '600'));
  });

  it.each([
    ['gone', /The mutant X1 has lost its anchor: src declares no gone\./u],
    ['other.read', /src declares no other\.read/u],
    ['Reader', /Reader in src\/reader\.ts has the literal 404 0 times, not once/u],
  ])('says which mutant has lost its anchor, and how: %s', (where, message) => {
    expect(() => planted(where, replace(literal(404), '1'))).toThrow(message);
  });
});
