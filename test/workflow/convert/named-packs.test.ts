import { expect, it } from 'vitest';
import { convert } from '../helpers/converted.js';
import { namedPacks } from '../../../src/workflow/convert/named-packs.js';

it('the packs of a node are those that the file names: of the registry first, then its repository', () => {
  const packs = (properties: unknown) => namedPacks({ properties });
  expect(packs({ cnr_id: 'a', aux_id: 'me/a' })).toEqual(['a', 'me/a']);
  expect([packs({ cnr_id: '', aux_id: 'me/a' }), packs({ cnr_id: 5, aux_id: 'me/a' })]).toEqual([
    ['me/a'],
    ['me/a'],
  ]);
  expect([packs({}), packs(undefined), packs('x')]).toEqual([[], [], []]);
});

it('a class that is missing is told with the packs of the file, else with the likely one', () => {
  const told = (type: string, properties: object) => {
    const { problems } = convert({ nodes: [{ id: 1, type, properties }], links: [] });
    return problems.map(({ message, pack }) => [message, pack]);
  };
  const refused = 'is of a class that the service does not have, and will refuse';
  expect(told('VHS_VideoCombine', { cnr_id: 'a', aux_id: 'me/a' })).toEqual([
    [`Node 1 (VHS_VideoCombine) ${refused}; by the file, its pack is a, me/a.`, 'a'],
  ]);
  const [[likely = '', pack] = []] = told('VHS_VideoCombine', {});
  expect([likely.startsWith(`Node 1 (VHS_VideoCombine) ${refused}`), pack]).toEqual([
    true,
    'comfyui-videohelpersuite',
  ]);
  expect(likely).not.toContain('by the file');
  expect(told('Own', {})).toEqual([[`Node 1 (Own) ${refused}.`, undefined]]);
});
