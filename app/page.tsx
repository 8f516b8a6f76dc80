export default function Home() {
  return <main>Bili</main>;
}
