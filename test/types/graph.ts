import {
  type BuiltNode,
  graph,
  type Input,
  type ListOutput,
  type NodeOptions,
  type Output,
  type UnknownNode,
  type Workflow,
} from 'promptwire/workflow';
import type { Equal, Expect } from './equal.js';

// What `promptwire types` writes.
type SamplerName = 'euler' | 'heun' | Output<'list of samplers'>;
interface LoaderOutputs extends BuiltNode {
  readonly MODEL_0: Output<'MODEL'>;
  readonly 0: Output<'MODEL'>;
  readonly CLIP_1: Output<'CLIP'>;
  readonly 1: Output<'CLIP'>;
}
interface SamplerInputs {
  readonly model: Input<'model', 'MODEL'>;
  readonly seed: number | bigint | Input<'seed', 'INT'>;
  readonly sampler_name: SamplerName;
  readonly strength?: number | Input<'strength', 'INT' | 'FLOAT'>;
  readonly any?: Input<'any', string>;
}
interface SamplerOutputs extends BuiltNode {
  readonly LATENT_0: ListOutput<'LATENT'>;
  readonly 0: ListOutput<'LATENT'>;
  readonly NUMBER_1: Output<'INT'> & Output<'FLOAT'>;
  readonly ANY_2: Output<never>;
  readonly NAME_3: Output<'list of samplers'>;
}
interface Nodes {
  Loader(inputs: { readonly name: 'a' | 'b' }, options?: NodeOptions): LoaderOutputs;
  Sampler(inputs: SamplerInputs, options?: NodeOptions): SamplerOutputs;
  Decoder(inputs: { readonly latent: Input<'latent', 'LATENT'> }, options?: NodeOptions): BuiltNode;
}

const g = graph<Nodes>();
const loader = g.Loader({ name: 'a' }, { id: '4', title: 'Loader' });
const sampler = g.Sampler({ model: loader.MODEL_0, seed: 7n, sampler_name: 'euler' });

// Unions share a member, wildcards and lists fit, equal lists fit.
g.Sampler({
  model: loader[0],
  seed: sampler.NUMBER_1,
  sampler_name: sampler.NAME_3,
  strength: sampler.NUMBER_1,
});
g.Sampler({ model: sampler.ANY_2, seed: sampler.ANY_2, sampler_name: sampler.ANY_2, any: loader.CLIP_1 });
g.Sampler({ model: g.raw(['4', 0]), seed: 1, sampler_name: 'heun', any: sampler.LATENT_0 });
g.Decoder({ latent: sampler.LATENT_0 });
g.node('Decoder', { latent: sampler[0] }, { title: 'By name' });
const unknown = g.unknown('Gone', { x: loader.MODEL_0, y: [1, { z: null }] }, { extra: { more: 1 } });
g.Decoder({ latent: unknown.output(0) });
g.Decoder({ latent: unknown.output(0, 'LATENT') });

export type Built = [
  Expect<Equal<typeof loader, LoaderOutputs>>,
  Expect<Equal<typeof unknown, UnknownNode>>,
  Expect<Equal<ReturnType<typeof g.workflow>, Workflow>>,
];

g.Sampler({
  // @ts-expect-error -- a wrong link: a CLIP is no MODEL
  model: loader.CLIP_1,
  seed: 1,
  sampler_name: 'euler',
});
g.Sampler({
  model: loader.MODEL_0,
  // @ts-expect-error -- a wrong link beside literals
  seed: loader.MODEL_0,
  // @ts-expect-error -- a wrong choice
  sampler_name: 'eulr',
  // @ts-expect-error -- no member of the union
  strength: loader.MODEL_0,
});
// @ts-expect-error -- a missing required input
g.Sampler({ model: loader.MODEL_0, sampler_name: 'euler' });
g.Decoder({
  // @ts-expect-error -- an output of another node
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- it has no type
  latent: loader.LATENT_0,
});
g.Decoder({
  // @ts-expect-error -- a node in place of its output
  latent: sampler,
});
g.Decoder({
  // @ts-expect-error -- an output of a named type that does not fit
  latent: unknown.output(0, 'IMAGE'),
});
g.Decoder({
  latent: sampler[0],
  // @ts-expect-error -- an input that the class does not have
  latnet: sampler[0],
});
// @ts-expect-error -- a class that the service does not have
// eslint-disable-next-line @typescript-eslint/no-unsafe-call -- it has no type
g.Decodr({ latent: sampler[0] });
// @ts-expect-error -- the same by name
g.node('Decodr', { latent: sampler[0] });
g.node('Decoder', {
  // @ts-expect-error -- a wrong link by name
  latent: loader.MODEL_0,
});
