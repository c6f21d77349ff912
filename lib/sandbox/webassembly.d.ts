/** The part of the WebAssembly interface that the sandbox uses; Node's types leave it out. */
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  type ModuleImports = Record<string, unknown>;
  type Imports = Record<string, ModuleImports>;

  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Exports;
  }

  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }

  class Global {
    value: number;
  }
}
