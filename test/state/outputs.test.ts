import { describe, expect, it } from 'vitest';
import { readDescriptor, readOutputs } from '../../src/core/state/outputs.js';

describe('readOutputs', () => {
  it('keeps every member of every node as sent', () => {
    const images = [{ filename: 'a.png', subfolder: '', type: 'output', preview_id: null }];
    const outputs = readOutputs({
      '9': { images, animated: [true] },
      '12:7': { text: 'bare', odd: { deep: [1] } },
    });
    expect(outputs).toEqual({
      '9': { images, animated: [true] },
      '12:7': { text: 'bare', odd: { deep: [1] } },
    });
    expect(outputs['9']?.['images']).toBe(images);
  });

  it('leaves out entries that tell nothing, and keeps what is no object under an empty key', () => {
    expect(readOutputs({ '1': null, '2': [], '3': 'x', '4': {}, '5': 7 })).toEqual({
      '3': { '': 'x' },
      '4': {},
      '5': { '': 7 },
    });
  });

  it.each([undefined, null, [], [{}], 'text', 3])('finds none in %j', (value) => {
    expect(Object.keys(readOutputs(value))).toEqual([]);
  });

  it('D14: gives an object without a prototype, in which any node id is a node id', () => {
    const outputs = readOutputs(JSON.parse('{"__proto__": {"images": []}, "constructor": {"text": []}}'));
    expect(Object.getPrototypeOf(outputs)).toBeNull();
    expect(Object.keys(outputs)).toEqual(['__proto__', 'constructor']);
    expect('toString' in outputs).toBe(false);
    expect(Object.getPrototypeOf(readOutputs(null))).toBeNull();
  });
});

describe('readDescriptor', () => {
  it('F12: fills in what the service left out', () => {
    expect(readDescriptor({ filename: 'a.png' })).toEqual({
      filename: 'a.png',
      subfolder: '',
      type: 'output',
    });
  });

  it('keeps what the service sent', () => {
    expect(
      readDescriptor({ filename: 'a.mp4', subfolder: 's', type: 'temp', format: 'video/mp4', id: 1 }),
    ).toEqual({
      filename: 'a.mp4',
      subfolder: 's',
      type: 'temp',
      format: 'video/mp4',
    });
  });

  it('F12: takes an empty type as left out', () => {
    expect(readDescriptor({ filename: 'a.png', type: '' })).toMatchObject({ type: 'output' });
  });

  it('F12: takes members of another kind as left out', () => {
    expect(readDescriptor({ filename: 'a.png', subfolder: null, type: 3, format: {} })).toEqual({
      filename: 'a.png',
      subfolder: '',
      type: 'output',
    });
  });

  it.each([
    null,
    'a.png',
    1,
    true,
    [],
    [{ filename: 'a.png' }],
    {},
    { filename: 1 },
    { filename: '' },
    { name: 'a' },
  ])('finds no file in %j', (element) => {
    expect(readDescriptor(element)).toBeUndefined();
  });
});
