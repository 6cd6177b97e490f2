import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyCharacter } from '../helpers/any-character.js';
import { jsonLine } from '../../src/cli/report/json-reporter.js';
import { paint, sanitise } from '../../src/cli/terminal/line.js';
import { parseAssignment, parseValue } from '../../src/cli/input/assignment.js';
import { textWidth } from '../../src/cli/terminal/format.js';
import { runs } from '../helpers/runs.js';

const played = { numRuns: runs(2_000) };

// What acts on a terminal, or hides from the eye.
const risky =
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;

const hostileUnit = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.constantFrom(
    '\u001B',
    '[',
    ']',
    '\\',
    '\u0007',
    '0;31m',
    'P',
    '_G',
    '\u009B',
    '\u009D',
    '\u202E',
    '\uDB40',
    '\uDC41',
    '\u200B',
    '\n',
    '猫',
    '👩‍💻',
    'e\u0301',
  ),
);
const hostile = fc.array(hostileUnit, { maxLength: 30 }).map((parts) => parts.join(''));

describe('the command’s laws', () => {
  it('for any text, nothing that acts on a terminal is left, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = sanitise(text);
        expect(clean).not.toMatch(risky);
        expect(clean).not.toMatch(/\p{Surrogate}/u);
        expect(sanitise(clean)).toBe(clean);
      }),
      played,
    );
  });

  it('for any segments, a painted line keeps to its columns', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), fc.nat(120), (segments, columns) => {
        const painted = paint(segments, { colour: false, columns });
        expect(textWidth(painted)).toBeLessThanOrEqual(columns);
        expect(painted).not.toMatch(risky);
      }),
      played,
    );
  });

  it('H11: for any value, its JSON line is one harmless line that reads back as the same', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.jsonValue())), (value) => {
        const line = jsonLine(value);
        expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E]/u);
        expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(value));
      }),
      played,
    );
  });

  it('any JSON value given to --set arrives as it is, or is refused for its numbers', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => !/[.=\\]/u.test(text));
    fc.assert(
      fc.property(word, word, fc.jsonValue(), (node, input, value) => {
        const text = JSON.stringify(value);
        const read = parseAssignment('--set', `${node}.${input}=${text}`);
        expect(read).toEqual({ name: `${node}.${input}`, value: text });
        expect(orRefused(() => JSON.stringify(parseValue(read.value)), text)).toBe(text);
      }),
      played,
    );
  });
});

/** Integers that a double only nearly holds are the one thing that may be refused. */
const orRefused = (parse: () => string, text: string): string => {
  try {
    return parse();
  } catch {
    expect(text).toMatch(/\d{16}/u);
    return text;
  }
};
