import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyCharacter } from '../helpers/any-character.js';
import { batchView } from '../../src/cli/terminal/batch-view.js';
import { changeLine, shortened } from '../../src/cli/report/change-line.js';
import { createOutputRedactor } from '../../src/cli/redact-output.js';
import { jobState, nodeState } from '../cli/helpers/job-state.js';
import { jobView } from '../../src/cli/terminal/job-view.js';
import { poolServer } from '../cli/helpers/pool-server.js';
import { serversView } from '../../src/cli/terminal/servers-view.js';
import { jsonLine } from '../../src/cli/report/json-reporter.js';
import { type Line, paint, sanitise } from '../../src/cli/terminal/line.js';
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

  it('H1: no prefix of 6 or more characters of the key shows, whatever the label and the width', () => {
    const key = 'hushhush-0123456789';
    const { redact } = createOutputRedactor({ PROMPTWIRE_API_KEY: key });
    const parting = fc.constantFrom('', '', '\u200B', '\u0007', '\u001B[31m', '\u00AD');
    const parted = fc
      .array(parting, { minLength: key.length, maxLength: key.length })
      .map((between) => Array.from(key, (letter, at) => letter + (between[at] ?? '')).join(''));
    // An unended sequence would swallow the key's beginning, and what is left of it is no prefix.
    const around = fc.string({
      unit: fc.constantFrom('a', ' ', '猫', '.', '/', '\u0301', '\n'),
      maxLength: 40,
    });
    const label = fc.tuple(around, parted, around).map((parts) => parts.join(''));
    fc.assert(
      fc.property(label, fc.integer({ min: 8, max: 120 }), fc.nat(80), (text, columns, maxLength) => {
        for (const lines of views(text, columns)) {
          for (const options of [{ columns }, { maxLength }, {}]) {
            const painted = lines
              .map((line) => paint(line, { colour: false, redact, ...options }))
              .join('\n');
            expect(painted).not.toContain(key.slice(0, 6));
          }
        }
      }),
      { numRuns: runs(400) },
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

/** Everything that draws a text of the service, or of a workflow, in columns. */
const views = (text: string, columns: number): readonly (readonly Line[])[] => {
  const node = nodeState('3', { text, activity: text });
  const state = jobState([node, nodeState(text)], { phase: 'pending', queue: { position: 1, reason: text } });
  const job = { file: text, phase: 'in_progress', progress: 0.5, server: text } as const;
  const change = { _tag: 'TitleChanged', nodeId: '1', from: text, to: text } as const;
  return [
    jobView({ state, titles: new Map([['3', text]]), elapsedMs: 1, columns, maxNodes: 8 }),
    batchView([job], { of: 1, columns, maxJobs: 8 }),
    serversView([poolServer({ name: text, models: [text, text] })]),
    [changeLine({ kind: 'change', node: text, change }, columns)],
    [[shortened({ [text]: text }, columns)]],
  ];
};

/** Integers that a double only nearly holds are the one thing that may be refused. */
const orRefused = (parse: () => string, text: string): string => {
  try {
    return parse();
  } catch {
    expect(text).toMatch(/\d{16}/u);
    return text;
  }
};
