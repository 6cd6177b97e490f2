import { currentType, isSubgraphId, kindOfType } from '../../../src/workflow/convert/node-kind.js';
import { expect, it } from 'vitest';
import { newContext } from '../../../src/workflow/convert/new-context.js';

it.each([
  ['group', ['workflow>a', 'workflow/a'], ['my workflow>a', 'workflow']],
  [
    'reroute',
    [
      'Reroute',
      'Reroute (rgthree)',
      'ReroutePrimitive|pysssss',
      'Node Collector (rgthree)',
      'Node Combiner (rgthree)',
    ],
    ['My Reroute', 'Reroutes', 'Node Collector'],
  ],
  ['primitive', ['PrimitiveNode'], ['PrimitiveNodes', 'MyPrimitiveNode']],
  ['set', ['SetNode', 'easy setNode'], ['ResetNode', 'SetNodes']],
  ['get', ['GetNode', 'easy getNode'], ['TargetNode', 'widGetNode', 'GetNodes']],
  ['editor', ['PresetText|pysssss'], ['PresetText', 'MyPresetText|pysssss', 'PresetText|pysssss2']],
  [
    'everywhere',
    ['Anything Everywhere', 'Anything Everywhere?', 'Anything Everywhere3', 'Prompts Everywhere'],
    ['Not Anything Everywhere', 'Anything Everywhere!', 'Everywhere'],
  ],
  [
    'drop',
    [
      ...[
        'VHS_SelectLatest',
        'Note',
        'MarkdownNote',
        'Note (mtb)',
        'Note+(mtb)',
        'Note+ (mtb)',
        'Note Plus (mtb)',
        'Note+ Plus (mtb)',
      ],
      ...[
        'easy bookmark',
        'Fast Muter (rgthree)',
        'Fast Groups Bypasser (rgthree)',
        'Fast Actions Button (rgthree)',
      ],
      ...[
        'Bookmark (rgthree)',
        'Label',
        'Mute / Bypass Relay',
        'Mute / Bypass Repeater (rgthree)',
        'Random Unmuter',
      ],
      'Power Conductor (rgthree)',
    ],
    [
      'Notes',
      'My Note',
      'NoteX',
      'Fast Upscaler',
      'Labels',
      'easy bookmark 2',
      'VHS_SelectLatest2',
      'Note 2 (mtb)',
    ],
  ],
] as const)('a node is of the kind %s by its type', (kind, types, others) => {
  expect(types.filter((type) => kindOfType(type) !== kind)).toEqual([]);
  expect(others.filter((type) => kindOfType(type) === kind)).toEqual([]);
});

it('a node is of a class where nothing else is known, and what the caller says counts more', () => {
  expect(kindOfType('KSampler')).toBe('class');
  expect(kindOfType('Note', { Note: 'class' })).toBe('class');
  expect(kindOfType('Mine', { Mine: 'reroute' })).toBe('reroute');
  expect(kindOfType('toString', {})).toBe('class');
});

it('an id of a subgraph is a whole UUID', () => {
  const id = '0c4a8c1e-6c53-4c3b-8D0a-0d9f4c0e8d11';
  const others = [`${id}0`, `x${id}`, id.slice(1), id.replace('-', ''), 'KSampler', id.replace('c', 'g')];
  expect([isSubgraphId(id), ...others.map(isSubgraphId)]).toEqual([true, ...others.map(() => false)]);
});

it('a type has the name of today', () => {
  expect(
    ['T2IAdapterLoader', 'ConditioningAverage ', 'SDV_img2vid_Conditioning', 'A'].map(currentType),
  ).toEqual([...['ControlNetLoader', 'ConditioningAverage', 'SVD_img2vid_Conditioning', 'A']]);
});

it('a conversion draws its own random numbers, and takes the time of now, where it is told none', () => {
  const { random, now } = newContext({}, undefined, {}, () => undefined);
  const drawn = Array.from({ length: 50 }, random);
  expect(drawn.every((one) => one >= 0 && one < 1)).toBe(true);
  expect(Math.max(...drawn)).toBeGreaterThan(0.01);
  expect(now()).toBeInstanceOf(Date);
});
