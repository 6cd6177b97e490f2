import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatResumeToken,
  parseResumeToken,
  tokenBehind,
} from '../../../src/server/gateway/streams/resume-token.js';

const positions = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => !text.includes('~') && text !== 'start');
const optional = fc.option(positions, { nil: undefined });
const tokens = fc.record({
  position: optional,
  documents: fc.integer({ min: 0, max: 999_999 }),
  statusAt: optional,
});
const marks = fc.option(fc.stringMatching(/^(s|p\d{1,5}|v\d{1,5}|\d{1,5})$/u), { nil: undefined });

/** Reads an id by one expression for each part, in place of the marks in order. */
const model = (id: string) => {
  const position = /^[^~]*/u.exec(id)![0];
  const documents = /~o([^~]*)/u.exec(id)?.[1] ?? '';
  return {
    position: position === 'start' ? undefined : position,
    documents: /^[0-9]{1,6}$/u.test(documents) ? Number.parseInt(documents, 10) : 0,
    statusAt: /~k([^~]*)/u.exec(id)?.[1],
  };
};

describe('the token of a reader', () => {
  it('law: what is written is read again, whatever mark makes the id unique', () => {
    fc.assert(
      fc.property(tokens, marks, (token, mark) => {
        const id = formatResumeToken(token, mark);
        expect(parseResumeToken(id)).toEqual(token);
        expect(model(id)).toEqual(token);
      }),
    );
  });

  it('law: any text from outside is read as the model reads it', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('start', 'o7', 'o', 'k', 'kx-1', 'o1234567', '~', 's'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const id = parts.join('~');
        expect(parseResumeToken(id)).toEqual(model(id));
      }),
    );
  });

  it('law: events of the log never bring back a status or documents that the reader has passed', () => {
    fc.assert(
      fc.property(tokens, positions, (token, next) => {
        const behind = tokenBehind(token, next);
        expect(behind).toEqual({
          position: next,
          documents: 0,
          statusAt: next === token.statusAt ? undefined : token.statusAt,
        });
      }),
    );
  });

  it('writes the ids that readers of earlier versions have', () => {
    const at = { position: 'e-7', documents: 0, statusAt: undefined };
    expect([
      formatResumeToken(at),
      formatResumeToken(at, '3'),
      formatResumeToken({ ...at, documents: 2, statusAt: 'e-9' }, 's'),
      formatResumeToken({ ...at, position: undefined }, 's'),
    ]).toEqual(['e-7', 'e-7~3', 'e-7~o2~ke-9', 'start~s']);
  });
});
