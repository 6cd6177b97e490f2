import { describe, expect, it } from 'vitest';
import { suggester } from '../../../src/workflow/validate/suggest.js';

describe('suggester', () => {
  it.each([
    ['txet', ['text', 'clip'], 'text', 'typo'],
    ['Ckpt_Name ', ['ckpt_name', 'vae_name'], 'ckpt_name', 'same'],
    ['Load Image', ['LoadImage', 'LoadImages'], 'LoadImage', 'same'],
    ['positve', ['positive', 'negative'], 'positive', 'typo'],
    ['positivve', ['positive', 'negative'], 'positive', 'typo'],
    ['KSamplr', ['KSampler', 'KSamplerAdvanced'], 'KSampler', 'typo'],
    ['models\\xl.safetensors', ['models/xl.safetensors', 'xl.ckpt'], 'models/xl.safetensors', 'same'],
    ['xl.safetensors', ['sdxl/XL.safetensors', 'base.safetensors'], 'sdxl/XL.safetensors', 'file'],
    ['a/xl.ckpt', ['b/XL.safetensors', 'a/xm.ckpt'], 'b/XL.safetensors', 'file'],
    ['a/xl.ckpt', ['b/XL.safetensors', 'c/xl.ckpt'], 'c/xl.ckpt', 'file'],
    ['x.png', ['a/b/x.png'], 'a/b/x.png', 'file'],
    ['X', ['a/x', 'x'], 'x', 'same'],
    ['a\\b.c', ['b.c', 'a/b.c'], 'a/b.c', 'same'],
    ['dir/model', ['model', 'dir/modek'], 'model', 'file'],
    ['b/abcdef', ['c/abcdef', 'b/abcdeg'], 'c/abcdef', 'file'],
    ['abcdef', ['xxabcdef', 'abcdeg'], 'abcdeg', 'letter'],
    ['abcxyz', ['xacxyz', 'abcxyw'], 'abcxyw', 'letter'],
    ['abc', ['abd'], 'abd', 'letter'],
    ['clip_g', ['clip_l', 't5xxl'], 'clip_l', 'letter'],
    ['a'.repeat(100), ['A'.repeat(100)], 'A'.repeat(100), 'same'],
  ])('finds what %j may mean among %j', (name, candidates, meant, differs) => {
    expect(suggester()(name, candidates)).toEqual({ name: meant, differs });
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
    ['abcxyz', ['abdxyw']],
    ['abcxyz', ['abzyxc']],
    ['clip_g.safetensors', ['clip_l.safetensors']],
    ['SAMLoader', ['VAELoader', 'SAM3Loader']],
    ['vae.ckpt', ['a/vae.safetensors', 'b/vae.safetensors']],
  ])('does not guess for %j among %j', (name, candidates) => {
    expect(suggester()(name, candidates)).toBeUndefined();
  });

  it('counts each candidate, and each comparison of letters by their lengths', () => {
    expect(suggester(8)('A', ['a'])).toBeUndefined();
    expect(suggester(8 + 1 + 1)('A', ['a'])).toMatchObject({ name: 'a' });
    const suggest = suggester(19);
    expect(suggest('abcdefghij', ['abcdefghix'])).toMatchObject({ name: 'abcdefghix' });
    expect(suggest('abcdefghij', ['abcdefghix'])).toBeUndefined();
  });

  it('stops when its work is done', () => {
    const suggest = suggester(700);
    const names = Array.from({ length: 50 }, (_, at) => `name ${at}`);
    expect(suggest('Name 7', names)).toMatchObject({ name: 'name 7' });
    expect(suggest('Name 7', [...names, ...names])).toBeUndefined();
    expect(suggest('Name 7', names)).toBeUndefined();
  });
});
