import type { NodeDefinitions } from '../../src/workflow/definitions.js';

/** The definitions of so many node classes; {@link bigWorkflow} uses the first. Most are as long as real ones. */
export const manyDefinitions = (count: number): NodeDefinitions => {
  const files = Array.from({ length: 300 }, (_, at) => `models/some-model-${at}.safetensors`);
  const entries = Array.from({ length: count }, (_, at) => [
    at === 0 ? 'Sampler' : at === 1 ? 'Save' : `Class${at}`,
    {
      input: {
        required: {
          model: ['MODEL'],
          seed: ['INT', { default: 0, min: 0, max: 2 ** 64 }],
          steps: ['INT', { default: 20, min: 1, max: 10_000 }],
          cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
          file: [files],
          sampler_name: [['euler', 'heun', 'ddim', 'uni_pc']],
          text: ['STRING', { multiline: true }],
        },
        optional: { denoise: ['FLOAT', { default: 1, min: 0, max: 1 }], enabled: ['BOOLEAN'] },
      },
      input_order: {},
      output: ['MODEL', 'LATENT'],
      output_node: at === 1,
      name: `Class${at}`,
      category: 'sampling',
    },
  ]);
  return Object.fromEntries(entries) as NodeDefinitions;
};

/** The same as the bytes of JSON, made as they are read; each class has a list of files of its own pack. */
export async function* definitionBytes(count: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < count; at += 1) {
    const [[, definition] = []] = Object.entries(manyDefinitions(1));
    const name = at === 0 ? 'Sampler' : at === 1 ? 'Save' : `Class${at}`;
    const text = JSON.stringify(definition).replaceAll('some-model', `pack-${at % 50}`);
    yield await Promise.resolve(encoder.encode(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:${text}`));
  }
  yield encoder.encode('}');
}

/** The text of a workflow with so many nodes, each linked to the one before it and one of ten an output. */
export const bigWorkflow = (count: number): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `n${at}`,
        {
          class_type: at % 10 === 9 ? 'Save' : 'Sampler',
          inputs: {
            model: [`n${at === 0 ? 0 : at % 500 === 0 ? at : at - 1}`, 0],
            seed: 1_234_567 + at,
            steps: 20,
            cfg: 7.5,
            file: `models/some-model-${at % 300}.safetensors`,
            sampler_name: 'euler',
            text: `a lighthouse at dusk, number ${at}`,
            denoise: 1,
          },
          _meta: { title: `Node ${at}` },
        },
      ]),
    ),
  );
