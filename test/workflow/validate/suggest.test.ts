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
    ['a'.repeat(101), ['a'.repeat(101)]],
  ])('does not guess for %j among %j', (name, candidates) => {
    expect(suggester()(name, candidates)).toBeUndefined();
  });

  it('stops when its work is done', () => {
    const suggest = suggester(1000);
    const names = Array.from({ length: 50 }, (_, at) => `name ${at}`);
    expect(suggest('Name 7', names)).toBe('name 7');
    expect(suggest('Name 7', [...names, ...names])).toBeUndefined();
    expect(suggest('Name 7', names)).toBeUndefined();
  });
});
