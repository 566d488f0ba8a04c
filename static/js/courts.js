/* Court cards drawn on the server, with the letters the reader chose. */

const LETTERS = { J: "V", Q: "D", K: "R" };

if (document.documentElement.dataset.courts === "french") {
  for (const use of document.querySelectorAll("main use")) {
    const [file, id] = use.getAttribute("href").split("#");
    const [, size, rank] = /^([cs])([JQK])[cdhs]$/.exec(id) ?? [];
    if (rank) use.setAttribute("href", `${file}#${size === "c" ? "f" : "fs"}${id.slice(1)}`);
  }
  for (const chip of document.querySelectorAll("main .ci")) {
    chip.textContent = chip.textContent.replace(/^[JQK]/, (letter) => LETTERS[letter]);
  }
}
