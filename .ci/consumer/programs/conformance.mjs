import { runConformance } from 'promptwire/conformance';
import { startEmulator } from 'promptwire/emulator';

const emulator = await startEmulator();
const { verdicts } = await runConformance({ ...emulator, only: ['2.1'], patienceMs: 10_000 });
await emulator.close();
const count = (result) => verdicts.filter((one) => one.result === result).length;
console.log(count('passed'), 'passed', count('failed'), 'failed');
