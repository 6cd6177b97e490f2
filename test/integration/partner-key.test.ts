import { inspect } from 'node:util';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import { emulated } from '../helpers/emulated.js';

const partnerKey = 'Rd5/Hw8+Lc3=Gs6pT1fX';

/** Fails with a message that gives the partner's key back. */
const talkative = {
  1: {
    class_type: 'FailOnPurpose',
    inputs: { exception_type: 'OOMError', message: `no such token ${partnerKey}` },
  },
};

it('H1: the partner key of a submission is in no failure of its job, in any report of it', async () => {
  const { client } = await emulated();
  const states = await lastValueFrom(client.run(talkative, { partnerKey }).pipe(toArray()));
  const { promptId = '', failure } = states.at(-1) ?? {};
  expect(failure?.exceptionMessage).toBe('no such token [redacted]');
  const told = [
    states,
    await client.rest.jobStatus(promptId)(),
    await lastValueFrom(client.follow(promptId).pipe(toArray())),
  ];
  expect(inspect(told, { depth: 20 })).not.toContain(partnerKey);
});
