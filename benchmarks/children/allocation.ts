import { bareSocket } from '../baseline/bare-socket.js';
import { type AllocationQuestion, countAllocation } from '../tools/allocation.js';
import { answering } from '../tools/answering.js';
import { countdown } from '../tools/countdown.js';
import { pictureInput, textInBytesInputs, textInputs } from '../tools/decode-inputs.js';
import { decodeOurs, decoding, inputsOf } from '../tools/decoding.js';
import { promptwireSocket } from '../tools/promptwire-socket.js';
import { type Load, startSender } from '../tools/sender.js';
import { sink } from '../tools/sink.js';
import { sizes } from '../tools/sizes.js';

answering((question: AllocationQuestion): Promise<number> => {
  switch (question.of) {
    case 'decoding':
      return ofDecoding(question.what, question.who);
    case 'listening':
      return ofListening(question.load, question.who);
  }
});

type Who = AllocationQuestion['who'];

const ofDecoding = async (what: string, who: Who): Promise<number> => {
  const pictures = sizes.flatMap((size) => [pictureInput(1, size), pictureInput(4, size)]);
  const input = [...pictures, ...textInBytesInputs, ...textInputs].find((one) => one.what === what);
  if (input === undefined) throw new Error(`no input is called ${what}`);
  const work = decoding(who === 'ours' ? decodeOurs : input.floor, inputsOf(input));
  const repeat = (calls: number): void => {
    for (let call = 0; call < calls; call += 1) sink.kept = work(call);
  };
  // Until the engine has compiled it.
  for (const started = performance.now(); performance.now() - started < 150;) repeat(100);
  return countAllocation(repeat, 200);
};

const ofListening = async (load: Load, who: Who): Promise<number> => {
  const sender = await startSender();
  const { tick, wait } = countdown();
  const way = who === 'ours' ? promptwireSocket : bareSocket;
  const { close } = await way(
    { name: who, port: sender.port, baseUrl: sender.baseUrl(who), wsUrl: sender.wsUrl(who) },
    tick,
  );
  const repeat = async (count: number): Promise<void> => {
    const send = await sender.prepare(who, { ...load, count });
    const read = wait(count);
    send();
    await read;
  };
  for (let time = 0; time < 20; time += 1) await repeat(load.count);
  const bytes = await countAllocation(repeat, load.count);
  await close();
  await sender.end();
  return bytes;
};
