import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** What is used of `comfyui-node`. */
interface ComfyuiNode {
  readonly ComfyApi: new (host: string) => object;
  readonly WorkflowPool: new (clients: readonly object[]) => {
    readonly ready: () => Promise<void>;
    readonly on: (event: string, listener: (event: ComfyuiNodeEvent) => void) => void;
    readonly enqueue: (
      workflow: object,
      options: { readonly jobId: string; readonly includeOutputs: readonly string[] },
    ) => Promise<string>;
  };
}

interface ComfyuiNodeEvent {
  readonly detail: {
    readonly job: { readonly jobId: string; readonly lastError?: Error };
    readonly willRetry?: boolean;
  };
}

const root = new URL('../../temp/peers-comfyui-node/', import.meta.url);
const require = createRequire(new URL('package.json', root));

const name = 'comfyui-node';

/** What npm installs: a version, or what `COMPARE_COMFYUI_NODE` names, such as the folder of a checkout. */
const wanted = env['COMPARE_COMFYUI_NODE'] ?? `${name}@1.10.0`;

/**
 * Installs `comfyui-node` in a folder of its own, since some mirrors of the registry lack it and the lock file of the other peers must hold there
 * as well.
 *
 * @returns its version, or undefined where it can't be installed
 */
export const installComfyuiNode = async (): Promise<string | undefined> => {
  if ((await installed()) === undefined) {
    await mkdir(root, { recursive: true });
    await writeFile(new URL('package.json', root), '{ "private": true }\n');
    const args = ['install', '--no-save', '--install-links', '--ignore-scripts', '--no-audit', wanted];
    await promisify(execFile)('npm', args, { cwd: fileURLToPath(root), timeout: 180_000 }).catch(
      () => undefined,
    );
  }
  return installed();
};

const installed = async (): Promise<string | undefined> => {
  const file = await readFile(new URL(`node_modules/${name}/package.json`, root), 'utf8').catch(
    () => undefined,
  );
  return file === undefined ? undefined : (JSON.parse(file) as { readonly version: string }).version;
};

export const loadComfyuiNode = async (): Promise<ComfyuiNode> =>
  (await import(pathToFileURL(require.resolve(name)).href)) as ComfyuiNode;
