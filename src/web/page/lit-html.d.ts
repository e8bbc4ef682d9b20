// The types of what the page uses of lit-html.js.

/** What a template is drawn from. */
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
/** A part of an SVG image, without the `svg` element itself. */
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;

/** Draws a value, such as a template, in a container, and changes only what differs from what was drawn there. */
export function render(
  value: unknown, container: HTMLElement | DocumentFragment,
  options?: { host?: object; renderBefore?: ChildNode | null },
): unknown;

/** Draws nothing; as the value of an attribute, removes it. */
export const nothing: unique symbol;
