import { describe, expect, it } from 'vitest';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';
import { workflowIn } from '../../../../src/workflow.js';

describe('M11: SaveSVGNode', () => {
  const prompt = { '1': { class_type: 'X', inputs: { text: '<b> ]]> </metadata> & ✨' } } };
  const workflow = { nodes: [], title: 'drawing' };
  const context = () => recordingContext({ prompt, extraPngInfo: { workflow } });

  it('saves the document with a workflow that is found again', async () => {
    const made = context();
    const [svg] = (await runNode('TextToSvg', { text: '<?xml version="1.0"?>\n<svg width="4"><g/></svg>' }))
      .values;
    const { ui } = await runNode('SaveSVGNode', { svg, filename_prefix: 'svg/line' }, made);
    expect(ui).toEqual({ images: [{ filename: 'svg/line_1.svg', subfolder: '', type: 'output' }] });
    const { bytes } = made.saved[0]!;
    const text = Buffer.from(bytes).toString();
    expect(text).toMatch(/^<\?xml version="1.0"\?>\n<svg width="4">\n {2}<metadata>\n/u);
    expect(text).toMatch(/<\/metadata>\n<g\/><\/svg>$/u);
    const found = await workflowIn(bytes);
    expect(found._tag === 'Found' && JSON.parse(found.prompt?.text ?? '')).toEqual(prompt);
    expect(found._tag === 'Found' && JSON.parse(found.workflow?.text ?? '')).toEqual(workflow);
  });

  it('saves one file for each document', async () => {
    const made = context();
    const svg = { kind: 'SVG', documents: ['<svg></svg>', '<svg id="b"></svg>'] };
    await runNode('SaveSVGNode', { svg }, made);
    expect(made.saved.map(({ prefix }) => prefix)).toEqual(['svg/ComfyUI', 'svg/ComfyUI']);
    expect(Buffer.from(made.saved[1]!.bytes).toString()).toContain('<svg id="b">');
  });

  it('takes no other text for a document', async () => {
    await expect(runNode('TextToSvg', { text: 'no drawing' })).rejects.toMatchObject({
      exceptionType: 'ValueError',
    });
  });
});

describe('M11: Load3D', () => {
  const files = new Map([['view.png [temp]', encodePng(testPicture(4, 3))]]);
  const view = {
    image: 'view.png [temp]',
    mask: 'view.png [temp]',
    normal: 'view.png [temp]',
    lineart: 'view.png [temp]',
  };
  const camera = { position: { x: 1 } };
  const load = async (name: string, image: unknown) =>
    (
      await runNode(
        name,
        { model_file: '3d/cup.glb', image, width: 4, height: 3 },
        recordingContext({}, files),
      )
    ).values;

  it('takes the pictures that the view has uploaded', async () => {
    const values = await load('Load3D', { ...view, camera_info: camera, recording: '' });
    const picture = [testPicture(4, 3)];
    const mask = { kind: 'MASK', width: 4, height: 3, bytes: new Uint8Array(12) };
    expect(values).toEqual([picture, mask, '3d/cup.glb', picture, picture, camera, null]);
  });

  it('takes a moving model without a drawing of its lines, and the film of the view', async () => {
    const values = await load('Load3DAnimation', { ...view, recording: 'view.mp4 [temp]' });
    expect(values).toHaveLength(6);
    expect(values[5]).toMatchObject({ kind: 'VIDEO', file: { name: 'view.mp4 [temp]' } });
  });

  it('fails where there is no view', async () => {
    await expect(load('Load3D', '')).rejects.toMatchObject({ exceptionType: 'TypeError' });
  });

  it('lists the uploaded models of its folder', () => {
    const inputs = ['3d/a.glb', '3d/b.obj', '3d/c.txt', 'd.glb'];
    const listOf = (name: string) =>
      nodeClasses.get(name)?.definition({ inputs }).input.required?.['model_file']?.[0];
    expect(listOf('Load3D')).toEqual(['3d/a.glb', '3d/b.obj']);
    expect(listOf('Load3DAnimation')).toEqual(['3d/a.glb']);
  });
});
