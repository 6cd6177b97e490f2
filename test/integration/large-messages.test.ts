import { describe, expect, it } from 'vitest';
import { emulated, picture } from '../helpers/emulated.js';
import { filter, firstValueFrom, lastValueFrom } from 'rxjs';

const mebibyte = 1024 * 1024;

describe('a message of the socket that is larger than the bound', () => {
  it('N1 is a Malformed frame that names bound and option, and the record gives what it carried', async () => {
    const faults = [{ on: 'socket', do: 'oversize', bytes: 2 * mebibyte, after: { messages: 4 } }] as const;
    const { newClient } = await emulated({ dialect: 'local', faults }, { dialect: 'local' });
    const client = newClient({ maxMessageBytes: mebibyte });
    const lost = firstValueFrom(client.frames.pipe(filter(({ _tag }) => _tag === 'Malformed')));
    const end = await lastValueFrom(client.run(picture()));
    expect(await lost).toMatchObject({
      reason: 'the message has more than 1048576 bytes, the bound of maxMessageBytes',
      size: mebibyte,
    });
    expect(end).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(Object.keys(end.outputs)).not.toEqual([]);
  });

  it('N1 is taken where it is below that of a local server', async () => {
    const faults = [{ on: 'socket', do: 'oversize', bytes: 20 * mebibyte, after: { messages: 4 } }] as const;
    const { client } = await emulated({ dialect: 'local', faults }, { dialect: 'local' });
    const sockets = new Set<string>();
    client.connection.subscribe((state) => {
      if (state._tag === 'open') sockets.add(state.clientId);
    });
    const end = await lastValueFrom(client.run(picture()));
    expect(end.phase).toBe('completed');
    expect(sockets.size).toBe(1);
  });
});
