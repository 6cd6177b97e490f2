import { describe, expect, it } from 'vitest';
import { aGateway } from '../v2/a-gateway.js';
import { aJob } from '../v2/a-job.js';

const jobs = [
  aJob({ id: 'over' }, { phase: 'completed' }),
  aJob({ id: 'runs' }, { phase: 'in_progress' }),
  aJob({ id: 'of-another', owner: 'another' }, { phase: 'completed' }),
];

describe('the deletion of jobs', () => {
  it('answers with what became of the files, and refuses a job that has not ended', async () => {
    const { ask } = aGateway({ jobs });
    expect((await ask('DELETE', '/jobs/over')).json()).toEqual({ id: 'over', files: 'kept' });
    const refused = await ask('DELETE', '/jobs/runs');
    expect(refused.json()).toMatchObject({ status: 409, code: 'job_running' });
    expect(refused.json()['detail']).toContain('cancel it first');
  });

  it("answers for another caller's job as for an unknown one", async () => {
    const { ask } = aGateway({ jobs });
    const foreign = await ask('DELETE', '/jobs/of-another');
    const unknown = await ask('DELETE', '/jobs/unknown');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  });

  it('takes several at once, and says of each what became of it', async () => {
    const { ask } = aGateway({ jobs });
    const answer = await ask('DELETE', '/jobs?id=over&id=runs&id=of-another&id=unknown&id=over');
    expect(answer.json()).toEqual({
      jobs: [
        { id: 'over', result: 'deleted', files: 'kept' },
        { id: 'runs', result: 'running' },
        { id: 'of-another', result: 'unknown' },
        { id: 'unknown', result: 'unknown' },
      ],
    });
    const many = new URLSearchParams(Array.from({ length: 101 }, (_, at) => ['id', String(at)]));
    for (const query of ['', `?${many}`]) expect((await ask('DELETE', `/jobs${query}`)).status).toBe(400);
  });
});
