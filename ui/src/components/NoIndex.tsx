// Asks search engines to leave a page out. React moves the tag into the head.

export function NoIndex() {
  return <meta name="robots" content="noindex" />;
}
