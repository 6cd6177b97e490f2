import { setImmediate } from 'node:timers/promises';
import { filter, firstValueFrom } from 'rxjs';
import { toPromise } from '../../../src/node.js';
import { client, say, workflow } from './service.js';

process.on('exit', () => say('exit'));
// Neither has an error handler, and one job goes on meanwhile: `close()` completes them.
client.frames.subscribe({ complete: () => say('frames completed') });
await firstValueFrom(client.run(workflow).pipe(filter(({ phase }) => phase === 'completed')));
const job = await toPromise(client.submit(workflow));
job.frames.subscribe({ complete: () => say("a job's frames completed") });
await client.close();
// A destroyed handle is gone a turn later, and what it held in turn one more.
await setImmediate();
await setImmediate();
say(
  process
    .getActiveResourcesInfo()
    .filter((name) => !['PipeWrap', 'TTYWrap', 'FSReqPromise', 'MessagePort', 'Immediate'].includes(name))
    .join(),
);
