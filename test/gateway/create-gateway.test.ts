import { expect, it } from 'vitest';
import { createClient } from '../../src/node.js';
import { createGateway, memoryEventLog, memoryJobIndex } from '../../src/gateway/index.js';
import { NEVER } from 'rxjs';

it('refuses a log that processes share beside an index that says nothing of who follows a job', async () => {
  await using client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
  const log = { ...memoryEventLog(), changes: NEVER as never };
  expect(() => createGateway({ client, authorize: () => undefined, index: memoryJobIndex(), log })).toThrow(
    expect.objectContaining({ _tag: 'InvalidConfig', option: 'index' }),
  );
});
