import { setImmediate } from 'node:timers/promises';
import { filter, firstValueFrom } from 'rxjs';
import { client, say, workflow } from './service.js';

process.on('exit', () => say('exit'));
client.frames.subscribe({ error: (error: unknown) => say(String(error).split(':', 1).join()) });
await firstValueFrom(client.run(workflow).pipe(filter(({ phase }) => phase === 'completed')));
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
