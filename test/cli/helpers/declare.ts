import ts from 'typescript';
import { join } from 'node:path';
import { declarationsOf, type Declared } from '../../../src/cli/types/declarations.js';

/** The declarations of some definitions, and what was said of them. */
export const declare = async (
  definitions: object | string,
): Promise<Declared & { readonly text: string }> => {
  const json = typeof definitions === 'string' ? definitions : JSON.stringify(definitions);
  const source = async function* () {
    yield await Promise.resolve(new TextEncoder().encode(json));
  };
  const pieces = declarationsOf(source());
  let text = '';
  let next = await pieces.next();
  for (; next.done !== true; next = await pieces.next()) text += next.value;
  return { text, ...next.value };
};

const root = join(import.meta.dirname, '..', '..', '..');

const options: ts.CompilerOptions = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [] },
  ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] },
  ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  paths: { 'promptwire/*': [join(root, 'src/*.ts')] },
};

/** Parses each file once for all services. */
const registry = ts.createDocumentRegistry();

/** A service that answers an editor about files of this test, which are at the root of the project. */
export const languageService = (files: Readonly<Record<string, string>>): ts.LanguageService => {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(root, name), text]));
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys()],
    // A file of this name has another text in another service.
    getScriptVersion: (name) => texts.get(name) ?? '',
    getScriptSnapshot: (name) => {
      const text = texts.get(name) ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => texts.has(name) || ts.sys.fileExists(name),
    readFile: (name) => texts.get(name) ?? ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  };
  return ts.createLanguageService(host, registry);
};

/** The path of such a file. */
export const pathOf = (name: string): string => join(root, name);

/** What the compiler says of such a file: `line:column message`. */
export const errorsIn = (service: ts.LanguageService, name: string): readonly string[] => {
  const path = pathOf(name);
  const file = service.getProgram()!.getSourceFile(path)!;
  return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].map(
    ({ start = 0, messageText }) => {
      const { line, character } = file.getLineAndCharacterOfPosition(start);
      return `${line + 1}:${character + 1} ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? ''}`;
    },
  );
};
