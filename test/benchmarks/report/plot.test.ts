import { describe, expect, it } from 'vitest';
import { plotOf } from '../../../benchmarks/report/plot.js';

describe('plotOf', () => {
  it('draws a line for each series, higher figures higher up', () => {
    const svg = plotOf({ title: 'a < b', x: 'jobs', y: 'events/s' }, [
      { series: 'slow', x: 100, y: 10 },
      { series: 'slow', x: 1, y: 20 },
      { series: 'fast', x: 1, y: 3000 },
      { series: 'fast', x: 100, y: 3000 },
    ]);
    const lines = [...svg.matchAll(/<polyline points="([^"]+)"/gu)].map(([, points]) =>
      points!.split(' ').map((point) => point.split(',').map(Number)),
    );
    const [fast, slow] = lines;
    expect(lines).toHaveLength(2);
    expect(slow![0]![0]).toBeLessThan(slow![1]![0]!);
    expect(slow![0]![1]).toBeLessThan(slow![1]![1]!);
    expect(fast![0]![1]).toBeLessThan(slow![0]![1]!);
    expect(fast![0]![1]).toBe(fast![1]![1]);
    expect(svg).toContain('a &lt; b');
  });
});
