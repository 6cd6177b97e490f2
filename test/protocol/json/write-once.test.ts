import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { textOf, writeMembers, writeOnce } from '../../../src/core/protocol/json/write-once.js';
import { writeExactJson } from '../../../src/core/protocol/json/exact-json.js';

const value = fc.jsonValue().map((json) => json as unknown);
const large = 2n ** 64n - 1n;
const workflow = fc.dictionary(fc.string(), value).map((nodes) => ({ ...nodes, 1: { inputs: { large } } }));
const others = fc.dictionary(fc.string(), fc.option(value, { nil: undefined }));

describe('writeOnce', () => {
  it('law: every text is the one that writeExactJson writes, before, during and after', () => {
    fc.assert(
      fc.property(workflow, others, others, (once, before, after) => {
        const members = { ...before, workflow: once, ...after, again: once };
        const text = [writeExactJson(once), writeExactJson(members)];
        const written = () => [textOf(once), writeMembers(members)];
        expect(written()).toEqual(text);
        const end = writeOnce(once);
        expect([written(), written()]).toEqual([text, text]);
        end();
        expect(written()).toEqual(text);
      }),
    );
  });

  it('writes a value once until it ends, and what has changed after that', () => {
    const once = { seed: 1 };
    const end = writeOnce(once);
    const stringify = vi.spyOn(JSON, 'stringify');
    textOf(once);
    writeMembers({ prompt: once });
    const written = stringify.mock.calls.filter(([given]) => given === once);
    stringify.mockRestore();
    expect(written).toHaveLength(1);
    end();
    once.seed = 2;
    expect(textOf(once)).toBe('{"seed":2}');
  });

  it('goes on for a second holder where the first one ends', () => {
    const once = { seed: 1 };
    const [first, second] = [writeOnce(once), writeOnce(once)];
    const text = textOf(once);
    first();
    once.seed = 2;
    expect(textOf(once)).toBe(text);
    second();
    expect(textOf(once)).toBe('{"seed":2}');
  });

  it('law: a value and its variant have their own texts, and what both have is written once', () => {
    const variants = fc.tuple(workflow, fc.func(fc.option(value, { nil: undefined })));
    fc.assert(
      fc.property(variants, ([once, other]) => {
        const shared = { inputs: { large, own: 'text of both' } };
        const whole: object = { ...once, 2: shared };
        const variant = Object.fromEntries(
          Object.entries(whole).map(([name, member]) => [
            name,
            name === '2' ? member : (other(name) ?? member),
          ]),
        );
        const record = { workflow: whole, kept: { workflow: variant, extra: [variant] } };
        const text = [writeExactJson(whole), writeExactJson(variant), writeExactJson(record)];
        const end = writeOnce(whole, variant);
        const stringify = vi.spyOn(JSON, 'stringify');
        const written = () => [
          textOf(whole),
          textOf(variant),
          writeMembers({ ...record, kept: record.kept }),
        ];
        const first = written();
        const ofBoth = stringify.mock.results.filter(({ value }) => String(value).includes('text of both'));
        stringify.mockRestore();
        expect([first, written()]).toEqual([text, text]);
        // Once for the two, and once within a list, which is no member.
        expect(ofBoth).toHaveLength(2);
        end();
        expect(written()).toEqual(text);
      }),
    );
  });

  it('writes a variant with other members whole', () => {
    const [whole, variant] = [
      { a: 1, b: 2 },
      { b: 2, c: 3 },
    ];
    const end = writeOnce(whole, variant);
    expect([textOf(whole), textOf(variant)]).toEqual(['{"a":1,"b":2}', '{"b":2,"c":3}']);
    end();
  });
});
