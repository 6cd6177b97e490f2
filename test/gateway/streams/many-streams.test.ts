import { describe, expect, it, onTestFinished } from 'vitest';
import { openReader, playedGateway, submitted } from '../support.js';
import { setImmediate } from 'node:timers/promises';

describe('many streams of one gateway', () => {
  it('make Node print no warning', async () => {
    const warnings: string[] = [];
    const listener = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listener);
    onTestFinished(() => void process.off('warning', listener));
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => openReader(gateway, { owner: record.owner, jobId: record.id })),
    );
    for (const reader of readers) await reader.next();
    await setImmediate();
    expect(warnings).toEqual([]);
    for (const reader of readers) await reader.cut();
  });
});
