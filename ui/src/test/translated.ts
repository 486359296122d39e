// The page as a browser's translation leaves it, at every moment: each text stands in elements that are not React's, and
// what React drew is no longer in the page. A screen that changes or removes such a text breaks, or goes on showing it.

/**
 * Translates the page from now on, but options, which tests find by their markup. It runs in a browser's page too, and
 * therefore uses nothing from outside.
 */
export function translatePage() {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it goes to the browser's page as a whole
  function translate() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, noscript, textarea, option, [translate=no], font')) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  }
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true, characterData: true });
  translate();
}
