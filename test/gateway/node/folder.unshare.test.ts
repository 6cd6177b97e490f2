import { execFileSync } from 'node:child_process';
import { describeWith, findProgram } from '../../helpers/describe-with.js';
import { expect, it } from 'vitest';
import { filePorts } from '../../../src/gateway-node.js';
import { newFolder } from './ports-in-a-folder.js';
import { startChild } from './start-child.js';

/** The program that makes namespaces, where this user may make them. */
const usable = (): string | undefined => {
  const program = findProgram('unshare');
  try {
    if (program !== undefined)
      execFileSync(program, ['-r', '--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
};

describeWith('unshare', usable(), (unshare) => {
  it('K4: lets no two processes have a folder that can’t see each other, as those of two containers over one volume', async () => {
    const folder = await newFolder();
    const apart = [unshare, '-r', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const first = await startChild([folder], apart);
    await first.said(/^open$/u);
    const second = await startChild([folder], apart);
    expect(await second.said(/./u)).toEqual([
      `InvalidConfig Another gateway has the folder ${folder}: two can't share one.`,
    ]);
    await expect(filePorts(folder)).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    first.child.stdin.end();
    await first.said(/^ended$/u);
    const third = await startChild([folder], apart);
    await third.said(/^open$/u);
    third.child.stdin.end();
    await third.ended;
  });

  it('K2: rejects with an error of the file system while the disk is full, goes on once it has room, and loses nothing', async () => {
    const folder = await newFolder();
    const disk = `${folder}/disk`;
    // The disk has 4 MiB, of which a file takes half until the test says otherwise; then it is the program's turn.
    const script = [
      'mkdir -p "$0" && mount -t tmpfs -o size=4m none "$0" && dd if=/dev/zero of="$0/ballast" bs=1k count=2048 status=none',
      '{ while ! test -e "$0.room"; do sleep 0.1; done; rm "$0/ballast"; } & shift; "$@"',
    ].join(' && ');
    const { child, said, lines, ended } = await startChild(
      [`${disk}/data`, 'load', 'full', 'text of a workflow '],
      [unshare, '-r', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, disk, '--'],
    );
    const refused = await said(/^refused/u, 12);
    expect(new Set(refused)).toEqual(new Set(['refused FileSystem ENOSPC']));
    const before = lines.filter((line) => line.startsWith('job')).length;
    expect(before).toBeGreaterThan(0);
    execFileSync('touch', [`${disk}.room`]);
    await said(/^job/u, before + 6);
    expect(lines.filter((line) => /^(?:damage|InvalidConfig)/u.test(line))).toEqual([]);
    child.kill('SIGKILL');
    await ended;
  });
});
