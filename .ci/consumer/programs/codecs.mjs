import { eventMessageCodec, workflowCodec } from 'promptwire/codecs';
import { textToImageWorkflow } from 'promptwire/emulator';

const data = { prompt_id: 'a', node: '3', value: 1, max: 2 };
console.log(
  eventMessageCodec.decode({ type: 'progress', data })._tag,
  eventMessageCodec.decode({ type: 'progress', data: { ...data, value: 'half' } })._tag,
  workflowCodec.is(textToImageWorkflow()),
);
