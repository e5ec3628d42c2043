import { createElement, Fragment, type ReactNode } from 'react';
import { formatText, leaves, type Block, type Inline } from './format-text';
import classes from './formatted-text.module.css';

/** A text with WhatsApp's formatting; placeholders without a value are shown as chips. */
export function FormattedText({ text }: { text: string }) {
  return inOrder(formatText(text).map(textBlock));
}

/** A text that WhatsApp does not format: headers and labels. */
export function PlainText({ text }: { text: string }) {
  return <InlineNodes nodes={leaves(text)} />;
}

/** Parts of a text have no identity but their place. Passed as arguments, not as a list, they need no keys. */
function inOrder(parts: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...parts);
}

/** Each paragraph, quote and list has the direction of its own text, as in the app. */
function textBlock(block: Block): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p className={classes.line} dir="auto">
          <InlineNodes nodes={block.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className={classes.quote} dir="auto">
          {inOrder(block.lines.map((line) => createElement('div', null, <InlineNodes nodes={line} />)))}
        </blockquote>
      );
    case 'bullets':
      return (
        <ul className={classes.list} dir="auto">
          {listItems(block.lines)}
        </ul>
      );
    case 'numbers':
      return (
        <ol className={classes.list} dir="auto" start={block.start}>
          {listItems(block.lines)}
        </ol>
      );
  }
}

const listItems = (lines: Inline[][]) =>
  inOrder(lines.map((line) => createElement('li', null, <InlineNodes nodes={line} />)));

function InlineNodes({ nodes }: { nodes: Inline[] }) {
  return inOrder(nodes.map(inlineNode));
}

function inlineNode(node: Inline): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'placeholder':
      return <span className={classes.chip} dir="ltr">{`{{${node.key}}}`}</span>;
    case 'link':
      return (
        <a className={classes.link} href={node.href} target="_blank" rel="noreferrer">
          {node.text}
        </a>
      );
    case 'bold':
      return (
        <strong>
          <InlineNodes nodes={node.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <InlineNodes nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <InlineNodes nodes={node.children} />
        </s>
      );
    case 'monospace':
    case 'code':
      return (
        <code className={node.type === 'code' ? classes.code : classes.monospace}>
          <InlineNodes nodes={node.children} />
        </code>
      );
  }
}
