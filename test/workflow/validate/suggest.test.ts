import { describe, expect, it } from 'vitest';
import { suggester } from '../../../src/workflow/validate/suggest.js';

describe('suggester', () => {
  it.each([
    ['txet', ['text', 'clip'], 'text'],
    ['Ckpt_Name ', ['ckpt_name', 'vae_name'], 'ckpt_name'],
    ['positve', ['positive', 'negative'], 'positive'],
    ['KSamplr', ['KSampler', 'KSamplerAdvanced'], 'KSampler'],
    ['models\\xl.safetensors', ['models/xl.safetensors', 'xl.ckpt'], 'models/xl.safetensors'],
    ['xl.safetensors', ['sdxl/XL.safetensors', 'base.safetensors'], 'sdxl/XL.safetensors'],
    ['x.png', ['a/b/x.png'], 'a/b/x.png'],
    ['X', ['a/x', 'x'], 'x'],
    ['a\\b.c', ['b.c', 'a/b.c'], 'a/b.c'],
    ['dir/model', ['model', 'dir/modek'], 'model'],
    ['b/abcdef', ['c/abcdef', 'b/abcdeg'], 'c/abcdef'],
    ['abcdef', ['xxabcdef', 'abcdeg'], 'abcdeg'],
    ['abcxyz', ['bdcxyz', 'abcxyw'], 'abcxyw'],
    ['abcxyz', ['xacxyz', 'abcxyw'], 'abcxyw'],
    ['abc', ['abd'], 'abd'],
    ['abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnopqrstuvABCD'], 'abcdefghijklmnopqrstuvABCD'],
    ['a'.repeat(100), ['A'.repeat(100)], 'A'.repeat(100)],
  ])('finds what %j means among %j', (name, candidates, meant) => {
    expect(suggester()(name, candidates)).toBe(meant);
  });

  it.each([
    ['prompt', ['text', 'clip']],
    ['ab', ['ac', 'ad']],
    ['cat', ['car', 'cap']],
    ['image3', ['image1', 'image2']],
    ['v1-5.safetensors', ['v1-4.safetensors']],
    ['x', []],
    ['a'.repeat(101), ['a'.repeat(100)]],
    ['a'.repeat(100), ['a'.repeat(101)]],
    ['ab', ['ac']],
    ['xa.png', ['dir/ya.png']],
    ['abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnopqrstuABCDE']],
  ])('does not guess for %j among %j', (name, candidates) => {
    expect(suggester()(name, candidates)).toBeUndefined();
  });

  it('counts each candidate, and each comparison of letters by their lengths', () => {
    expect(suggester(8)('A', ['a'])).toBeUndefined();
    expect(suggester(9)('A', ['a'])).toBe('a');
    const suggest = suggester(100);
    expect(suggest('abcdefghij', ['abcdefghix'])).toBe('abcdefghix');
    expect(suggest('abcdefghij', ['abcdefghix'])).toBeUndefined();
  });

  it('stops when its work is done', () => {
    const suggest = suggester(1000);
    const names = Array.from({ length: 50 }, (_, at) => `name ${at}`);
    expect(suggest('Name 7', names)).toBe('name 7');
    expect(suggest('Name 7', [...names, ...names])).toBeUndefined();
    expect(suggest('Name 7', names)).toBeUndefined();
  });
});
