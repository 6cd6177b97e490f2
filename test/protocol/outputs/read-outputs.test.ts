import { describe, expect, it } from 'vitest';
import { readOutputs } from '../../../src/protocol/outputs/read-outputs.js';

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

  it('leaves out entries that are no objects', () => {
    expect(Object.keys(readOutputs({ '1': null, '2': [], '3': 'x', '4': {}, '5': 7 }))).toEqual(['4']);
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
