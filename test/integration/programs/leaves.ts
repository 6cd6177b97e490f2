import { lastValueFrom } from 'rxjs';
import { client, say, workflow } from './service.js';

process.on('exit', () => say('exit'));
say((await lastValueFrom(client.run(workflow))).phase);
client.connection.subscribe(({ _tag }) => say(_tag)).unsubscribe();
