import { describe, expect, it } from 'vitest';
import { emulated, picture } from '../helpers/emulated.js';
import { lastValueFrom } from 'rxjs';

/** The job runs to its end before the answer to its submission comes. */
const late = [{ on: 'rest', route: 'POST /api/prompt', do: 'delay', ms: 600, phase: 'after' }] as const;

describe('messages that come before the answer names their job', () => {
  it('N6 beyond the bound are told as a warning that names bound and option, and the record gives the outputs', async () => {
    const { newClient } = await emulated({ dialect: 'local', faults: late }, { dialect: 'local' });
    const client = newClient({ keptFrames: { earlyBytes: 4096 } });
    const end = await lastValueFrom(client.run(picture(20)));
    expect(end).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(end.warnings).toEqual([
      expect.stringMatching(
        /^\d+ messages about this job came before the service named it, and went beyond 4096 bytes, the bound of keptFrames\.earlyBytes/u,
      ),
    ]);
  });

  it('N6 within it all come, and nothing is told', async () => {
    const { client } = await emulated({ dialect: 'local', faults: late }, { dialect: 'local' });
    const end = await lastValueFrom(client.run(picture(20)));
    expect(end.warnings).toEqual([]);
  });
});
