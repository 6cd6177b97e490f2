import { describe, expect, it } from 'vitest';
import { planScene } from '../../../../src/emulator/engine/scene/plan-scene.js';
import { renderScene } from '../../../../src/emulator/engine/scene/render-scene.js';

const size = 48;
const render = (prompt: string, options: Partial<Parameters<typeof renderScene>[1]> = {}): Float32Array =>
  renderScene(planScene(prompt, '', 4n), { width: size, height: size, octaves: 4, contrast: 1, ...options });

const mean = (samples: Float32Array, channel?: number): number => {
  const wanted = channel === undefined ? samples : samples.filter((_, index) => index % 3 === channel);
  return wanted.reduce((sum, value) => sum + value, 0) / wanted.length;
};

const spread = (samples: Float32Array): number => {
  const middle = mean(samples);
  return samples.reduce((sum, value) => sum + Math.abs(value - middle), 0) / samples.length;
};

describe('renderScene', () => {
  it.each(['hills', 'mountains', 'forest', 'ocean', 'city at night', 'desert', 'snow', 'an old clock'])(
    'paints %s within the range of colours, and not in one colour',
    (prompt) => {
      const samples = render(prompt);
      expect(samples).toHaveLength(size * size * 3);
      expect(samples.every((value) => value >= 0 && value <= 255)).toBe(true);
      expect(spread(samples)).toBeGreaterThan(8);
    },
  );

  it('makes night darker than day', () => {
    expect(mean(render('hills at night'))).toBeLessThan(mean(render('hills by day')) * 0.6);
  });

  it('makes a sunset redder than a day', () => {
    const redness = (samples: Float32Array): number => mean(samples, 0) - mean(samples, 2);
    expect(redness(render('ocean, sunset'))).toBeGreaterThan(redness(render('ocean, day')) + 20);
  });

  it('spreads colours with contrast', () => {
    expect(spread(render('hills', { contrast: 1.2 }))).toBeGreaterThan(
      spread(render('hills', { contrast: 0.9 })),
    );
  });

  it('paints any shape', () => {
    expect(render('city', { width: 3, height: 90 })).toHaveLength(810);
    expect(render('ocean', { width: 90, height: 3 })).toHaveLength(810);
    expect(render('forest', { width: 1, height: 1 })).toHaveLength(3);
  });
});
