import { firstValueFrom, filter } from 'rxjs';
import { client, say, workflow } from './service.js';

process.on('exit', () => say('exit'));
const { phase } = await firstValueFrom(client.run(workflow).pipe(filter(({ promptId }) => promptId !== '')));
say(phase);
