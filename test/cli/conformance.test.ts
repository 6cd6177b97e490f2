import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readFile } from 'node:fs/promises';
import { startCli } from './helpers/start-cli.js';
import { workspace } from './helpers/workspace.js';

describe('promptwire conformance', () => {
  it('only reads without a budget, and reports what it skipped for a person', async () => {
    const { cli, emulator } = await workspace();
    const running = cli(['conformance', '--only', '2.4', '--only', '2.11']);
    expect(await running.exit).toBe(0);
    expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(running.stdout()).toMatch(/^skipped \[2\.4\.1\] .*: .*this run only reads$/mu);
    expect(running.stdout()).toMatch(
      /profile interface: [1-9]\d* passed, 0 failed, [1-9]\d* skipped; 0 jobs\n$/u,
    );
  });

  it('makes as many jobs as its budget, at the address that it is given', async () => {
    const { emulator, file, stateDir } = await workspace();
    const key = await file('key', emulator.apiKey);
    const running = startCli(
      [
        ...['conformance', emulator.baseUrl, '--key-file', key],
        ...['--budget', '1', '--only', '2.4.1', '--json'],
      ],
      { env: { PROMPTWIRE_STATE_DIR: stateDir } },
    );
    expect(await running.exit).toBe(0);
    expect(jsonLines(running.stdout())).toMatchObject([
      { kind: 'statement', id: '2.4.1', result: 'passed' },
      { kind: 'conformance', passed: 1, failed: 0, skipped: 0, jobs: 1 },
      { kind: 'end', exit: 'done', code: 0 },
    ]);
  });

  it('fails with the statement, and what was sent and came, in each form of the report', async () => {
    const { cli, dir, emulator } = await workspace({ without: ['endpoint:GET /api/user'] });
    const junit = join(dir, 'report.xml');
    const args = ['conformance', '--only', '2.11.1', '--junit', junit];
    const forPeople = cli(args);
    expect(await forPeople.exit).toBe(1);
    expect(forPeople.stdout()).toMatch(/^failed {2}\[2\.11\.1\] .*\n.*\n {8}> GET \/api\/user\n {8}< 404/mu);
    const forPrograms = cli([...args, '--json']);
    expect(await forPrograms.exit).toBe(1);
    expect(jsonLines(forPrograms.stdout())[0]).toMatchObject({
      ...{ kind: 'statement', id: '2.11.1', result: 'failed' },
      exchanges: [{ sent: 'GET /api/user', came: expect.stringMatching(/^404/u) as unknown }],
    });
    const xml = await readFile(junit, 'utf8');
    expect(xml).toMatch(/tests="1" failures="1" skipped="0"[^]*&gt; GET \/api\/user/u);
    expect(xml + forPeople.stdout() + forPrograms.stdout()).not.toContain(emulator.apiKey);
  });

  it('wants a key of a service that has accounts', async () => {
    const { emulator, stateDir } = await workspace();
    const running = startCli(['conformance', emulator.baseUrl], {
      env: { PROMPTWIRE_STATE_DIR: stateDir },
    });
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('--key-file');
    expect(emulator.requests).toEqual([]);
  });
});
