import { setImmediate } from 'node:timers/promises';
import { filter, firstValueFrom } from 'rxjs';
import { client, say, workflow } from './service.js';

process.on('exit', () => say('exit'));
client.frames.subscribe({ error: (error: unknown) => say(String(error).split(':', 1).join()) });
await firstValueFrom(client.run(workflow).pipe(filter(({ phase }) => phase === 'completed')));
await client.close();
// Destroyed handles are gone after the turn in which they were destroyed.
await setImmediate();
say(
  process
    .getActiveResourcesInfo()
    .filter((name) => !['PipeWrap', 'TTYWrap', 'FSReqPromise', 'MessagePort', 'Immediate'].includes(name))
    .join(),
);
