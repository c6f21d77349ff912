/** The part of the WebAssembly interface that the sandbox uses; Node's types leave it out. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }

  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number });
  }
}
