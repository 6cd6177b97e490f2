import { describe, expect, it } from 'vitest';
import { readDescriptor } from '../../../src/protocol/outputs/descriptor.js';

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
