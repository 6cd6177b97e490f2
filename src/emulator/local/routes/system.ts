import { empty, localJson, plain } from '../local-http.js';
import type { LocalHandler } from '../local-service.js';
import { localFlags } from '../local-hub.js';
import { nodeReplacements } from '../../validation/replace-classes.js';

/** `GET /features`: the feature flags of the handshake, over HTTP; not on an engine without that handshake. */
export const features: LocalHandler = ({ service: { settings } }) =>
  settings.facts.nodeStates ? localJson(localFlags(settings)) : plain(404, '404: Not Found');

/** `GET /node_replacements`: the classes that are replaced, by their old name; not on an engine without them. */
export const replacements: LocalHandler = ({ service: { settings } }) =>
  settings.switches.nodeReplacements ? localJson(nodeReplacements) : plain(404, '404: Not Found');

/** The folders that each engine has; only that of checkpoints holds files here. */
const folders: readonly string[] = [
  ...['checkpoints', 'configs', 'loras', 'vae', 'text_encoders', 'diffusion_models', 'clip_vision'],
  ...['style_models', 'embeddings', 'diffusers', 'vae_approx', 'controlnet', 'gligen', 'upscale_models'],
  ...['custom_nodes', 'hypernetworks', 'photomaker', 'classifiers'],
];

/** `GET /models`: the folders of models. */
export const modelFolders: LocalHandler = () => localJson(folders);

/** `GET /models/{folder}`: file names; 404 without a body for another folder. */
export const models: LocalHandler = ({ service: { device }, params: [folder = ''] }) => {
  if (!folders.includes(folder)) return empty(404);
  return localJson(folder === 'checkpoints' ? device.checkpoints : []);
};

/** `GET /embeddings` and `GET /extensions`: always empty. */
export const nothing: LocalHandler = () => localJson([]);

/** `GET /object_info`: every node class, or the one that the path names (none of that name: an empty map). */
export const objectInfo: LocalHandler = ({ service, params: [wanted] }) => {
  const files = { inputs: service.files.inputs(), checkpoints: service.device.checkpoints };
  const entries = [...service.nodeClasses]
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, nodeClass]) => [name, nodeClass.definition(files)]);
  return localJson(Object.fromEntries(entries));
};

/**
 * `GET /system_stats`: clients recognise a local server by its devices' `torch_vram_total`. A machine with memory of its own has a device for
 * it, any other the processor alone.
 */
export const systemStats: LocalHandler = ({ service: { device, settings } }) => {
  const memory = device.memory();
  return localJson({
    system: {
      os: 'posix',
      ram_total: 8_589_934_592,
      ram_free: 4_294_967_296,
      ...settings.facts.versions,
      python_version: '3.11.9 (main) [GCC 12.2.0]',
      pytorch_version: memory === undefined ? '2.8.0+cpu' : '2.8.0+cu128',
      embedded_python: false,
      argv: memory === undefined ? ['main.py', '--cpu'] : ['main.py'],
    },
    devices: [memory === undefined ? processor : deviceOf(memory)],
  });
};

const processor = {
  name: 'cpu',
  type: 'cpu',
  index: null,
  vram_total: 0,
  vram_free: 0,
  torch_vram_total: 0,
  torch_vram_free: 0,
};

const deviceOf = ({ total, free }: { readonly total: number; readonly free: number }) => ({
  ...{ name: 'cuda:0 Emulated Device : cudaMallocAsync', type: 'cuda', index: 0 },
  ...{ vram_total: total, vram_free: free, torch_vram_total: total - free, torch_vram_free: 0 },
});
