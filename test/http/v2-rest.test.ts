import { expect, it } from 'vitest';
import { leftOf } from '../helpers/http-connection.js';
import { withoutV2 } from '../../src/core/http/v2-rest.js';

it('a server without API v2 keeps no logs and signs no address, which is said without a request', async () => {
  expect(leftOf(await withoutV2.jobLogs('p')())).toMatchObject({
    ...{ _tag: 'NotSupported', promptId: 'p', message: 'A server of this dialect keeps no logs of jobs.' },
    hint: expect.stringContaining('traceback') as string,
  });
  expect(leftOf(await withoutV2.signedUrl({ filename: 'a.png' })())).toMatchObject({
    ...{ _tag: 'NotSupported', hint: expect.stringContaining('rest.view') as string },
    message: 'A server of this dialect gives no address of a file that opens without a key.',
  });
});
