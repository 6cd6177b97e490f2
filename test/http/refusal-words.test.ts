import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/http/create-rest.js';
import { readServiceUrls } from '../../src/http/service-urls.js';
import type { Dialect } from '../../src/protocol/dialect.js';
import type { ServiceError } from '../../src/protocol/errors/errors.js';
import type { Rest } from '../../src/http/rest.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** The words of a call at a server that answers each request with this status and nothing else. */
const words = async (
  status: number,
  call: (rest: Rest) => () => Promise<Parameters<typeof leftOf>[0]>,
  dialect: Dialect = 'cloud',
  baseUrl = 'http://127.0.0.1:9',
): Promise<string> => {
  const platform = fakePlatform(() => ({ status }));
  const urls = rightOf(readServiceUrls({ baseUrl }));
  const { message, hint }: ServiceError = leftOf(
    await call(createRest(httpConnection(platform, { urls, dialect })))(),
  );
  return `${message} ${hint}`;
};

describe('a refusal', () => {
  it('by a base URL that ends in /api says to leave that out', async () => {
    const said = await words(404, (rest) => rest.submit(workflow), 'cloud', 'https://service.example/x/api/');
    expect(said).toContain('baseUrl ends in /api');
  });

  it('of GET /api/user says that there is no such route, and not to check an id', async () => {
    expect(await words(404, (rest) => rest.user())).toMatch(/check baseUrl.*dialect: 'local'/u);
    expect(await words(404, (rest) => rest.user(), 'local')).toContain('A local server has no accounts');
    expect(await words(404, (rest) => rest.submit(workflow))).toContain('check baseUrl');
    expect(await words(404, (rest) => rest.history('p'))).toContain('Check the id');
  });

  it('with 401 of a local dialect says that no key is sent', async () => {
    const said = await words(401, (rest) => rest.submit(workflow), 'local');
    expect(said).toMatch(/none is sent.*dialect: 'cloud'/u);
    expect(await words(401, (rest) => rest.submit(workflow))).toContain('does not accept the API key');
  });

  it('with 403 of a local server says that Origin and Host differ, and not to check the plan', async () => {
    const said = await words(403, (rest) => rest.submit(workflow), 'local');
    expect(said).toMatch(/Origin and Host.*proxy.*--enable-cors-header/u);
    expect(said).not.toContain('plan');
    const file = { filename: 'a.png' };
    expect(await words(403, (rest) => rest.view(file), 'local')).not.toContain('Origin');
    expect(await words(403, (rest) => rest.submit(workflow))).toContain('plan');
  });
});
