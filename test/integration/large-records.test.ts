import { describe, expect, it } from 'vitest';
import { emulated, refusal, submit } from '../helpers/emulated.js';
import { lastValueFrom } from 'rxjs';
import type { Workflow } from '../../src/core/protocol/workflow.js';

/** A job whose outputs alone have so many characters. */
const longText = (length: number): Workflow => ({
  1: { class_type: 'PreviewText', inputs: { source: 'a'.repeat(length) } },
});

const told = 'bytes, the bound of maxAnswerBytes';

describe('N1 a job whose outputs alone exceed the bound of answers', () => {
  it.each(['local', 'cloud'] as const)(
    'ends at once with what the socket told, and says so: %s',
    async (dialect) => {
      const { newClient } = await emulated({ dialect }, { dialect });
      const client = newClient({ maxAnswerBytes: 1_500_000 });
      const job = await submit(client, longText(2_500_000));
      const last = await lastValueFrom(job.states);
      expect([last.phase, last.outputsComplete]).toEqual(['completed', false]);
      expect(last.warnings).toEqual([expect.stringContaining(told)]);
      expect(await refusal(job.outputs)).toMatchObject({
        _tag: 'OutputsIncomplete',
        hint: expect.stringContaining('warnings') as string,
      });
    },
  );

  it('is told by its bound where it is followed after its end', async () => {
    const { client, newClient } = await emulated({ dialect: 'local' }, { dialect: 'local' });
    const { promptId, states } = await submit(client, longText(2_500_000));
    await lastValueFrom(states);
    const followed = lastValueFrom(newClient({ maxAnswerBytes: 1_500_000 }).follow(promptId));
    await expect(followed).rejects.toMatchObject({
      _tag: 'Decode',
      option: 'maxAnswerBytes',
      message: expect.stringContaining(told) as string,
    });
  });
});
