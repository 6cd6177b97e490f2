import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { convert } from '../helpers/converted.js';
import { mutatedFiles, uiFiles } from '../helpers/hostile-ui.js';
import { parseExactJson, writeExactJson } from '../../../src/core/protocol/json/exact-json.js';
import { subgraph, uiFile } from '../helpers/ui-file.js';
import { runs } from '../../helpers/runs.js';

const numRuns = runs(300);

describe('a conversion', () => {
  it('gives the same for a file that was saved and read again, and changes nothing in it', () => {
    fc.assert(
      fc.property(uiFiles, (file) => {
        const text = writeExactJson(file);
        const first = writeExactJson(convert(file));
        expect(writeExactJson(file)).toBe(text);
        expect(writeExactJson(convert(parseExactJson(text) as never))).toBe(first);
      }),
      { numRuns },
    );
  });

  it('refuses or loses nothing: each node that runs is there, and each link leads to one of them', () => {
    fc.assert(
      fc.property(uiFiles, (file) => {
        const { workflow, nodeMap, problems } = convert(file);
        expect(workflow === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
        if (workflow === undefined) return;
        expect(Object.keys(nodeMap)).toEqual(Object.keys(workflow));
        for (const { id, type, mode } of file.nodes) {
          const isEmitted =
            mode === 0 && !/^(?:Reroute|PrimitiveNode|Note|[SG]etNode|sub|outer|workflow>g)$/u.test(type);
          expect(Object.hasOwn(workflow, String(id))).toBe(isEmitted);
        }
        for (const { class_type, inputs } of Object.values(workflow)) {
          expect(class_type).toEqual(expect.any(String));
          for (const value of Object.values(inputs)) {
            if (Array.isArray(value)) expect(Object.keys(workflow)).toContain(value[0]);
          }
        }
      }),
      { numRuns },
    );
  });

  it('gives a value for any file, however broken', () => {
    fc.assert(
      fc.property(mutatedFiles, (file) => {
        const { workflow, problems } = convert(file as never);
        expect(workflow === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
      }),
      { numRuns },
    );
  });

  it('gives a value for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (nodes, links) => {
        expect(convert({ nodes, links, definitions: nodes } as never, {}, links as never).problems).toEqual(
          expect.any(Array),
        );
      }),
      { numRuns },
    );
  });

  it('takes chains of 10,000 nodes, each with a consumer, in time linear in their length', () => {
    const chain = (type: string, mode: number) =>
      uiFile([
        { id: 0, type: 'LoadImage', values: ['a', 'red'] },
        ...Array.from({ length: 10_000 }, (_, index) => ({
          id: index + 1,
          type,
          mode,
          links: { [type === 'Reroute' ? '' : 'a']: [index, 0] as const },
        })),
        ...Array.from({ length: 10_000 }, (_, index) => ({
          id: `save ${index}`,
          type: 'SaveImage',
          links: { images: [index + 1, 0] as const },
        })),
      ]);
    for (const file of [chain('Reroute', 0), chain('Swap', 4)]) {
      const { workflow } = convert(file);
      expect(workflow?.['save 9999']?.inputs['images']).toEqual(['0', 0]);
      expect(workflow?.['save 0']?.inputs['images']).toEqual(['0', 0]);
    }
  });

  it('refuses subgraphs that nest 10,000 levels deep', () => {
    const levels = Array.from({ length: 10_000 }, (_, level) =>
      subgraph(
        `s${level}`,
        [['text', 'STRING']],
        [[1, 0]],
        [{ id: 1, type: `s${level + 1}`, links: { text: ['in', 0] } }],
      ),
    );
    const { workflow, problems } = convert(
      uiFile([{ id: 1, type: 's0', values: ['x'] }], { definitions: { subgraphs: levels } }),
    );
    expect(workflow).toBeUndefined();
    // The value of the instance has no widget that could be found.
    expect(problems).toMatchObject([
      { type: 'unused_values', severity: 'warning' },
      { type: 'recursive_subgraph', severity: 'error' },
    ]);
  });
});
