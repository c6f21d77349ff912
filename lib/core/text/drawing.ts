/** Says whether an .svg is a drawing alone. Loaded with the first one that is sent. Pure. */
const DRAWING = /^\s*(?:<\?xml [^<>]{0,100}\?>\s*)?<svg\s[\s\S]*<\/svg>\s*$/;
const SHAPE =
  /<(?!\/?(?:svg|g|defs|title|desc|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|style|clipPath|linearGradient|radialGradient|stop)[\s/>]|\?xml )/;
/** A viewer of the file would run it, or tell another server that it was opened. */
const REACHES_OUT = /\\|&#|\son\w+\s*=|(?:href|src)\s*=|@(?:import|font-face)|url\((?!#)|image-set/i;

/** A drawing of shapes and text that a browser may open: it runs nothing and loads nothing. */
export const isDrawing = (content: string): boolean =>
  DRAWING.test(content) && !SHAPE.test(content) && !REACHES_OUT.test(content);
