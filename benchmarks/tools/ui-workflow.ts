/** The text of a file of the editor with so many nodes of the classes of `manyDefinitions`, in rows of ten that end in an output. */
export const bigUiWorkflow = (count: number): string => {
  const nodes = Array.from({ length: count }, (_, at) => uiNode(at));
  const links = nodes.flatMap(({ id, inputs: [model] }) =>
    model?.link == null ? [] : [[model.link, id - 1, 0, id, 0, 'MODEL']],
  );
  return JSON.stringify({
    last_node_id: count,
    last_link_id: count,
    nodes,
    links,
    groups: [],
    extra: {},
    version: 0.4,
  });
};

const uiNode = (at: number) => ({
  id: at,
  type: at % 10 === 9 ? 'Save' : 'Sampler',
  pos: [at * 300, 100],
  size: [315, 262],
  flags: {},
  order: at,
  mode: 0,
  inputs: [
    { localized_name: 'model', name: 'model', type: 'MODEL', link: at % 10 === 0 ? null : at },
    ...widgets.map(([name, type]) => ({ localized_name: name, name, type, widget: { name }, link: null })),
  ],
  outputs: [
    { localized_name: 'MODEL', name: 'MODEL', type: 'MODEL', links: at % 10 === 9 ? null : [at + 1] },
    { localized_name: 'LATENT', name: 'LATENT', type: 'LATENT', links: null },
  ],
  properties: { 'Node name for S&R': 'Sampler' },
  widgets_values: [
    1_234_567 + at,
    'randomize',
    20,
    7.5,
    `models/some-model-${at % 300}.safetensors`,
    'euler',
    `a lighthouse, number ${at}`,
    1,
    true,
  ],
});

const widgets = [
  ['seed', 'INT'],
  ['steps', 'INT'],
  ['cfg', 'FLOAT'],
  ['file', 'COMBO'],
  ['sampler_name', 'COMBO'],
  ['text', 'STRING'],
  ['denoise', 'FLOAT'],
  ['enabled', 'BOOLEAN'],
] as const;
